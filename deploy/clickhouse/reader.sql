-- The user that Clew asks with: it may read the databases that you name, within limits, and nothing else.
--
-- The SQL guard checks every query before it runs; what stands here is the wall behind it, and the server's own: what a user has no right to
-- do, no query does. Apply it once, as a user who may manage access (CREATE USER, GRANT …):
--
--   1. Set a password: replace the 64 zeros below by its SHA-256, as `printf %s 'the password' | sha256sum` prints it.
--   2. Name your databases in the GRANT of section 2.
--   3. clickhouse-client --user … --password … --queries-file reader.sql
--   4. CLICKHOUSE_URL=http://clew_reader:the-password@host:8123, CLICKHOUSE_DATABASE=<the same databases>
--   5. `clew doctor` looks at all of it as Clew will see it.
--
-- It can be applied again after a change. On a cluster, write ON CLUSTER '…' after each name that is created. Written for and checked on ClickHouse 26.7;
-- 24.10 is the oldest that knows every setting.

-- 1. What a query of Clew may cost, and how its numbers arrive -------------------------------------------------------------------------------
--
-- CONST: neither a query (SETTINGS …) nor a session can change it. `readonly = 1` forbids all changes of settings anyway, so Clew sends none
-- to such a user, and everything it relies on stands here. Raise or lower limits as your server needs it; keep the settings of the output.
CREATE SETTINGS PROFILE OR REPLACE clew_reader SETTINGS
  readonly = 1 CONST,

  -- Seconds by the clock (no guess from the first seconds); a query that runs out of time fails, and never returns a part as the whole.
  -- CLEW_QUERY_TIMEOUT_S should not be more.
  max_execution_time = 30 CONST,
  timeout_overflow_mode = 'throw' CONST,
  timeout_before_checking_execution_speed = 0 CONST,
  -- Bytes of memory, rows read, bytes of the result, threads.
  max_memory_usage = 1000000000 CONST,
  max_rows_to_read = 10000000000 CONST,
  max_result_bytes = 50000000 CONST,
  result_overflow_mode = 'throw' CONST,
  max_threads = 2 CONST,
  -- Limits are looked at between blocks of rows: in smaller ones a slow function meets them sooner. Scans take 2 to 5 % longer than with the default.
  max_block_size = 16384 CONST,
  -- The size of the query itself: a few nested CTEs can grow without end while they are being planned, which no time limit stops.
  max_query_size = 262144 CONST,
  max_ast_depth = 500 CONST,
  max_ast_elements = 20000 CONST,
  max_expanded_ast_elements = 20000 CONST,
  -- Only SELECT is a query, not a bare expression: the guard's canonical text rests on it.
  implicit_select = 0 CONST,
  -- A question that is stopped, or whose asker has gone, stops in the server too.
  cancel_http_readonly_queries_on_client_close = 1 CONST,

  -- Without these UInt64, Decimal, NaN and Inf arrive wrong.
  output_format_json_quote_64bit_integers = 1 CONST,
  output_format_json_quote_64bit_floats = 0 CONST,
  output_format_json_quote_decimals = 1 CONST,
  output_format_json_quote_denormals = 1 CONST,
  output_format_json_named_tuples_as_objects = 1 CONST;

-- 2. What may be asked about -----------------------------------------------------------------------------------------------------------------
--
-- The rights belong to a role, the user has none of its own: REVOKE and GRANT here change what Clew sees at once. Grant views or single
-- columns instead of whole databases where that is what you want to offer: GRANT SELECT(id, name) ON hr.people TO clew_questions;
-- for dictionaries: GRANT dictGet ON sales.* TO clew_questions. Never grant sources (READ ON URL, FILE, S3, REMOTE …): they reach out.
CREATE ROLE IF NOT EXISTS clew_questions;
GRANT SELECT ON default.* TO clew_questions;

-- 3. The user --------------------------------------------------------------------------------------------------------------------------------
--
-- Narrow down from where it may connect when you can: HOST IP '10.0.0.0/8' instead of HOST ANY.
CREATE USER OR REPLACE clew_reader
  IDENTIFIED WITH sha256_hash BY '0000000000000000000000000000000000000000000000000000000000000000'
  HOST ANY
  SETTINGS PROFILE 'clew_reader';
GRANT clew_questions TO clew_reader;

-- 4. What all its queries together may cost --------------------------------------------------------------------------------------------------
--
-- A call inside one block of rows cannot be interrupted, not even by KILL QUERY: where others depend on this server, add `max_concurrent_queries_for_user = 20 CONST`
-- to the profile, so that such queries leave them room (docs/security.md, What a query may cost).
--
-- Generous on purpose: it ends a runaway, not a busy day. Beyond it, a query fails with QUOTA_EXCEEDED until the hour is over.
CREATE QUOTA OR REPLACE clew_reader
  FOR INTERVAL 1 hour MAX queries = 50000, read_rows = 1000000000000, execution_time = 14400
  TO clew_reader;
