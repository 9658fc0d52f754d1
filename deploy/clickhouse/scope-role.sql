-- A role for one scope: what may be read when a question is asked within it, and nothing else. A template: copy it for each scope (a team, a channel, a
-- set of tables), put in names and grants, and apply it after reader.sql, as a user who may manage access:
--
--   clickhouse-client --user … --password … --queries-file scope-role.sql
--
-- A query that is sent with a role has the rights of that role alone, so the server itself denies what lies outside of the scope: the wall behind the SQL guard.
-- It can be applied again after a change; what is no longer granted here must be taken back by REVOKE.

-- 1. What belongs to the scope: tables, single columns, views. ----------------------------------------------------------------------------------
--
-- A view needs SELECT on itself and, unless it was created with SQL SECURITY DEFINER, on what it reads. A materialized view needs both always. Grants of
-- single columns do not cover parts of them: `map.keys` and `length(array)` are denied, too.
CREATE ROLE IF NOT EXISTS clew_scope_sales;
GRANT SELECT ON sales.orders TO clew_scope_sales;
GRANT SELECT(id, country) ON sales.customers TO clew_scope_sales;

-- 2. Clew's user may take it on. ----------------------------------------------------------------------------------------------------------------
--
-- Without the second statement the role's rights would be added to every query of Clew's, since all granted roles are active when a query names none.
GRANT clew_scope_sales TO clew_reader;
ALTER USER clew_reader DEFAULT ROLE clew_questions;
