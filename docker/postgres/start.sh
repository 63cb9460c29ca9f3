#!/bin/sh
# Makes the database at the first start and becomes the server. Arguments are the server's.
#   PGDATA                   a folder below the mounted one, which may hold things of the file system
#   POSTGRES_PASSWORD_FILE   the password of the role postgres
#   POSTGRES_DB              a database to make; absent: none but PostgreSQL's own
#   /docker-entrypoint-initdb.d/*.sql    run in that database at the first start, in order of names
set -eu

# A start that is cut off leaves no half of a database: the folder gets its name when it is whole.
make_database() {
  unfinished=$PGDATA.unfinished
  socket=/tmp/first-start
  rm -rf "$unfinished" "$socket"
  mkdir -p "$(dirname "$PGDATA")" "$socket"
  initdb --pgdata="$unfinished" --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" \
    --auth-local=trust --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --data-checksums
  # On a socket of its own, so that nobody takes this for the server.
  pg_ctl --pgdata="$unfinished" --wait --silent start \
    --options="-c listen_addresses='' -c unix_socket_directories=$socket \
      -c log_error_verbosity=terse -c log_parameter_max_length=0"
  database=${POSTGRES_DB:-postgres}
  if [ "$database" != postgres ]; then
    createdb --host="$socket" --username=postgres "$database"
  fi
  for file in /docker-entrypoint-initdb.d/*.sql; do
    if [ -f "$file" ]; then
      psql --host="$socket" --username=postgres --dbname="$database" --no-psqlrc --quiet \
        --set=ON_ERROR_STOP=1 --file="$file"
    fi
  done
  pg_ctl --pgdata="$unfinished" --wait --silent --mode=fast stop
  rm -rf "$socket"
  mv "$unfinished" "$PGDATA"
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -e "$PGDATA" ]; then
    echo "$PGDATA is there and is no database; nothing is overwritten." >&2
    exit 1
  fi
  if [ ! -r "${POSTGRES_PASSWORD_FILE:-}" ]; then
    echo 'POSTGRES_PASSWORD_FILE must name a file with a password.' >&2
    exit 1
  fi
  make_database
fi

# Where archive_command of the settings may put the log, for restores to a point in time.
mkdir -p "$(dirname "$PGDATA")/archive"
exec postgres "$@"
