#!/bin/bash
# Makes Clew's reader when a ClickHouse container starts on an empty volume (docker-entrypoint-initdb.d): reader.sql with the password of
# CLEW_READER_PASSWORD, and the databases of CLICKHOUSE_DATABASE, which are created if they are missing.
set -euo pipefail

: "${CLEW_READER_PASSWORD:?must be set}"
: "${CLICKHOUSE_DATABASE:=default}"
reader_sql="${CLEW_READER_SQL:-/etc/clew/reader.sql}"
zeros=$(printf '0%.0s' {1..64})

quoted() { # as an identifier of ClickHouse
  local name=${1//\\/\\\\}
  printf '`%s`' "${name//\`/\\\`}"
}

{
  # The hash is hexadecimal, whatever the password is made of.
  hash=$(printf %s "$CLEW_READER_PASSWORD" | sha256sum | cut -d ' ' -f 1)
  sed -e "s/$zeros/$hash/" -e '/^GRANT SELECT ON default\.\* TO clew_questions;$/d' "$reader_sql"
  IFS=',' read -r -a databases <<<"$CLICKHOUSE_DATABASE"
  for database in "${databases[@]}"; do
    database=$(sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' <<<"$database")
    [ -n "$database" ] || continue
    printf 'CREATE DATABASE IF NOT EXISTS %s;\n' "$(quoted "$database")"
    printf 'GRANT SELECT ON %s.* TO clew_questions;\n' "$(quoted "$database")"
  done
} | clickhouse-client --user "${CLICKHOUSE_USER:-default}" --password "${CLICKHOUSE_PASSWORD:-}"
