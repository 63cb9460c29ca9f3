# PostgreSQL 15 of Debian for local installations; where an operator or somebody else keeps one, this
# image is not needed.
#
#   docker build -f docker/postgres.Dockerfile -t sluice-postgres .
#
# Variables as of the official image: PGDATA, POSTGRES_PASSWORD_FILE, POSTGRES_DB. The arguments are
# the server's. Mounted: /var/lib/postgresql/data, and where the root file system is read-only /tmp
# and /var/run/postgresql.
ARG BASE_IMAGE=debian:bookworm-slim
ARG RELEASE=no
FROM ${BASE_IMAGE}
ARG BASE_IMAGE
ARG RELEASE
RUN case "$RELEASE $BASE_IMAGE" in \
      no\ *|yes\ *@sha256:????????????????????????????????????????????????????????????????) ;; \
      *) echo "RELEASE is yes or no; with yes BASE_IMAGE ends in @sha256: and 64 digits." >&2; exit 1 ;; \
    esac

# The user first, so that the package takes it over; and no cluster of the package's own.
RUN groupadd --gid 10001 postgres \
    && useradd --uid 10001 --gid 10001 --home-dir /var/lib/postgresql --shell /bin/sh postgres \
    && apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-common \
    && sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' \
        /etc/postgresql-common/createcluster.conf \
    && apt-get install --yes --no-install-recommends postgresql-15 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb /var/log/apt /var/log/dpkg.log \
    && rm -rf /etc/ssl/private/ssl-cert-snakeoil.key /etc/ssl/certs/ssl-cert-snakeoil.pem

COPY docker/postgres/start.sh /usr/local/bin/start-postgres
COPY docker/postgres/postgresql.conf docker/postgres/pg_hba.conf /usr/local/share/postgres/
RUN chmod 0755 /usr/local/bin/start-postgres \
    && mkdir -p /etc/postgres/conf.d /docker-entrypoint-initdb.d \
        /var/lib/postgresql/data /var/run/postgresql \
    && chown 10001:10001 /var/lib/postgresql/data \
    # What is mounted there in memory takes over the mode and not the owner.
    && chmod 1777 /var/run/postgresql

ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin \
    PGDATA=/var/lib/postgresql/data/pgdata \
    LANG=C.UTF-8
EXPOSE 5432
USER 10001:10001
# A fast shutdown: open connections are ended, not waited for.
STOPSIGNAL SIGINT
ENTRYPOINT ["start-postgres"]
CMD ["-c", "config_file=/usr/local/share/postgres/postgresql.conf", "-c", "hba_file=/usr/local/share/postgres/pg_hba.conf"]
