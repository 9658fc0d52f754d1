#!/bin/bash
# Makes Clew's users when a ClickHouse container starts on an empty volume (docker-entrypoint-initdb.d): the reader of reader.sql, with the password of
# CLEW_READER_PASSWORD and the databases of CLICKHOUSE_DATABASE, which are created if they are missing; and, where CLEW_WRITER_PASSWORD is set, the writer of
# pipelines. Each password may stand in a file instead, whose path is given as …_FILE.
set -euo pipefail

secret() { # the value of a variable, or what stands in the file of NAME_FILE
  local file_variable=$1_FILE
  if [ -n "${!1:-}" ]; then printf %s "${!1}"; elif [ -n "${!file_variable:-}" ]; then cat "${!file_variable}"; fi
}

reader_password=$(secret CLEW_READER_PASSWORD)
writer_password=$(secret CLEW_WRITER_PASSWORD)
: "${reader_password:?CLEW_READER_PASSWORD must be set}"
: "${CLICKHOUSE_DATABASE:=default}"
reader_sql="${CLEW_READER_SQL:-/etc/clew/reader.sql}"
zeros=$(printf '0%.0s' {1..64})

quoted() { # as an identifier of ClickHouse
  local name=${1//\\/\\\\}
  printf '`%s`' "${name//\`/\\\`}"
}

hash_of() { # hexadecimal, whatever the password is made of
  printf %s "$1" | sha256sum | cut -d ' ' -f 1
}

{
  sed -e "s/$zeros/$(hash_of "$reader_password")/" -e '/^GRANT SELECT ON default\.\* TO clew_questions;$/d' "$reader_sql"
  if [ -n "$writer_password" ]; then
    printf "CREATE USER OR REPLACE clew_writer IDENTIFIED WITH sha256_hash BY '%s';\n" "$(hash_of "$writer_password")"
    printf 'GRANT ALL ON clew.* TO clew_writer;\nGRANT ALL ON pipelines.* TO clew_writer;\n'
  fi
  IFS=',' read -r -a databases <<<"$CLICKHOUSE_DATABASE"
  for database in "${databases[@]}"; do
    database=$(sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' <<<"$database")
    [ -n "$database" ] || continue
    printf 'CREATE DATABASE IF NOT EXISTS %s;\n' "$(quoted "$database")"
    printf 'GRANT SELECT ON %s.* TO clew_questions;\n' "$(quoted "$database")"
    [ -z "$writer_password" ] || printf 'GRANT SELECT ON %s.* TO clew_writer;\n' "$(quoted "$database")"
  done
} | clickhouse-client --user "${CLICKHOUSE_USER:-default}" --password "$(secret CLICKHOUSE_PASSWORD)"
