-- The role that Clew asks with: it may read the schemas that you name, within limits, and nothing else.
--
-- The SQL guard checks every query before it runs; what stands here is the wall behind it, and the server's own: what a role has no right to
-- do, no query does. Apply it once in each database that Clew reads, as a superuser (two settings below are a superuser's):
--
--   1. Set a password: replace replace-this-password below.
--   2. Name your schemas in section 3.
--   3. psql --dbname … --file reader.sql
--   4. The source's URL is postgres://clew_reader:the-password@host:5432/database (add ?sslmode=verify-full over a network).
--   5. `clew doctor` looks at all of it as Clew will see it.
--
-- It can be applied again after a change. Written for and checked on Postgres 15 and 18.

-- 1. The role --------------------------------------------------------------------------------------------------------------------------------
--
-- NOINHERIT: where you grant it further roles, a question has their rights only while it asks as one of them, and its own otherwise.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'clew_reader') THEN CREATE ROLE clew_reader; END IF;
END $$;
ALTER ROLE clew_reader WITH LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT
  CONNECTION LIMIT 40 PASSWORD 'replace-this-password';

-- 2. What a query of Clew may cost -----------------------------------------------------------------------------------------------------------
--
-- A session can change most of these, so they are defaults; Clew sends its own limits with each query, and the guard lets no query change them.
ALTER ROLE clew_reader SET default_transaction_read_only = on;
ALTER ROLE clew_reader SET statement_timeout = '30s';
ALTER ROLE clew_reader SET lock_timeout = '2s';
ALTER ROLE clew_reader SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE clew_reader SET search_path = '';
-- It bounds each sort and hash, but no single value: docs/sql-guard.md says what bounds those.
ALTER ROLE clew_reader SET work_mem = '32MB';
ALTER ROLE clew_reader SET hash_mem_multiplier = 1;
ALTER ROLE clew_reader SET max_parallel_workers_per_gather = 2;
-- Only a superuser can change the next three: neither a query nor a session of Clew lifts them.
ALTER ROLE clew_reader SET temp_file_limit = '1GB';
-- The guard reads the server's analysis of each query, which the server would write to its log too: 8 KB a query.
ALTER ROLE clew_reader SET log_min_messages = 'panic';
ALTER ROLE clew_reader SET log_min_error_statement = 'panic';

-- 3. What may be asked about -----------------------------------------------------------------------------------------------------------------
--
-- Grant views or single columns instead of whole schemas where that is what you want to offer: GRANT SELECT (id, name) ON hr.people TO clew_reader.
-- Never grant pg_read_all_data, pg_read_server_files or pg_execute_server_program: they reach past the schemas, or out of the database.
-- A table that is made later needs its own grant, or ALTER DEFAULT PRIVILEGES by the role that makes it.
GRANT USAGE ON SCHEMA public TO clew_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO clew_reader;
