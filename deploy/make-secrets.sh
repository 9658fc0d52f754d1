#!/bin/sh
# Writes each secret into a file of its own, secrets/NAME, which docker-compose.yml gives to the services that need it, and to no other. What stands in .env is
# taken from there; passwords that stand nowhere are made. Run it again after a change of .env: what was made is kept.
set -eu
folder=${CLEW_FOLDER:-$(dirname "$0")/..}
cd "$folder"
mkdir -p secrets
# Nobody else on this machine enters the folder. The files themselves are read in containers, by users of other numbers.
chmod 700 secrets
umask 022

of_env() {
  [ ! -f .env ] || sed -n "s/^$1=//p" .env | tail -n 1
}

# write NAME VALUE
write() {
  printf '%s' "$2" >"secrets/$1"
}

# password NAME [VARIABLE]: of .env, or as it is, or new
password() {
  value=
  [ $# -lt 2 ] || value=$(of_env "$2")
  if [ -n "$value" ]; then
    write "$1" "$value"
  elif [ ! -s "secrets/$1" ]; then
    write "$1" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
  fi
}

# url NAME VARIABLE DEFAULT
url() {
  value=$(of_env "$2")
  write "$1" "${value:-$3}"
}

password redis_password
password clew_state_key CLEW_STATE_KEY
password clickhouse_admin_password CLICKHOUSE_ADMIN_PASSWORD
password clew_reader_password CLEW_READER_PASSWORD
password clew_writer_password CLEW_WRITER_PASSWORD
url redis_url REDIS_URL "redis://:$(cat secrets/redis_password)@redis:6379"
url clickhouse_url CLICKHOUSE_URL "http://clew_reader:$(cat secrets/clew_reader_password)@clickhouse:8123"
# Of a ClickHouse of your own, only you know who may write.
writer_url=
[ -n "$(of_env CLICKHOUSE_URL)" ] || writer_url="http://clew_writer:$(cat secrets/clew_writer_password)@clickhouse:8123"
url clew_writer_url CLEW_WRITER_URL "$writer_url"
for name in openai_api_key slack_bot_token slack_app_token slack_signing_secret discord_token; do
  write "$name" "$(of_env "$(printf %s "$name" | tr '[:lower:]' '[:upper:]')")"
done
if [ -f .env ]; then chmod 600 .env; fi
