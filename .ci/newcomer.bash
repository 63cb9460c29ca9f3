# What the scripts share that type what the documents tell people to type. Each of them says what a
# newcomer's computer is, as the function "newcomer COMMAND", which types a line in the clone.
# shellcheck shell=bash disable=SC2034 # what looks unused is for the script that reads this file

repository=$PWD
port=${PORT:-8080}
place=$(mktemp -d)
clone=$place/sluice
printed=$place/printed # what the program that runs at the moment has printed
running=''             # its process group

# Whatever happens, nothing stays behind.
tidy_up() {
  if [ -n "$running" ]; then kill -KILL -- "-$running" 2>/dev/null || true; fi
  rm -rf "$place"
}
trap tidy_up EXIT

fail() {
  printf 'FAILED: %s\n' "$1" >&2
  if [ -s "$printed" ]; then tail -n 40 "$printed" >&2; fi
  exit 1
}

worked() { printf '%4d s  %s\n' "$SECONDS" "$1"; }

# documented FILE COMMAND: fails unless the document tells people to type exactly that.
documented() { grep -qxF "$2" "$clone/$1" || fail "$1 does not say \"$2\" any more"; }

# start COMMAND: waits until it is ready to take payments.
start() {
  set -m # a process group of its own, which hears Ctrl-C as in a terminal
  newcomer "$1" >"$printed" 2>&1 &
  running=$!
  set +m
  for _ in $(seq 1200); do
    if grep -q '^Sluice is ready on ' "$printed"; then return; fi
    if ! kill -0 "$running" 2>/dev/null; then fail "\"$1\" ended before it was ready"; fi
    sleep 0.2
  done
  fail "\"$1\" was not ready within four minutes"
}

# stop COMMAND: Ctrl-C, after which it must end in order.
stop() {
  local code=0
  kill -INT -- "-$running"
  wait "$running" || code=$?
  running=''
  if [ "$code" -ne 0 ] && [ "$code" -ne 130 ]; then fail "\"$1\" ended with $code"; fi
}

# first_curl: the first command for curl in what is read, with its continued lines.
first_curl() { awk '/^curl /{on = 1} on {print} on && !/\\$/ {exit}'; }

# answer_to COMMAND: what is answered to a command for curl.
answer_to() {
  newcomer "${1/curl /curl --silent --show-error }" || fail "curl failed: $1"
}

# pay COMMAND: sends it; leaves the answer's id in $id.
pay() {
  local answer
  answer=$(answer_to "$1")
  grep -q '"000\.100\.110"' <<<"$answer" || fail "not approved: $answer"
  id=$(sed -n 's/^.\{0,5\}"id": *"\([0-9a-f]\{32\}\)".*/\1/p' <<<"$answer" | head -n 1)
}
