import { z } from 'zod'
import type { Report } from '../base/check.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { askCatalog } from './catalog/ask-catalog.ts'
import type { PostgresConnections } from './connection.ts'
import { POSTGRES_LIMITS } from './limits.ts'

const READER_SQL = 'deploy/postgres/reader.sql'

/** The server's facts about the connected role. `writable` are tables of the schemas that it may change. */
const FACTS = `
SELECT pg_catalog.split_part(pg_catalog.current_setting('server_version'), ' ', 1) AS version, r.rolname AS role,
  r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication AS "isPowerful",
  pg_catalog.current_setting('log_min_messages') AS "logLevel", pg_catalog.current_setting('temp_file_limit') AS "tempFiles",
  (SELECT pg_catalog.count(*)::int4 FROM pg_catalog.pg_class AS c WHERE c.relnamespace = ANY(n.oids) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT c.relispartition AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT')) AS readable,
  (SELECT pg_catalog.array_agg(c.relname::text ORDER BY c.relname) FROM pg_catalog.pg_class AS c WHERE c.relnamespace = ANY(n.oids)
    AND c.relkind IN ('r', 'p') AND pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE')) AS writable
FROM pg_catalog.pg_roles AS r CROSS JOIN
  (SELECT pg_catalog.array_agg(oid) AS oids FROM pg_catalog.pg_namespace WHERE nspname = ANY($1) AND pg_catalog.has_schema_privilege(oid, 'USAGE')) AS n
WHERE r.rolname = CURRENT_USER`

const factsRow = z.object({
  version: z.string(),
  role: z.string(),
  isPowerful: z.boolean(),
  logLevel: z.string(),
  tempFiles: z.string(),
  readable: z.number(),
  writable: z.array(z.string()).nullable(),
})

/** Checks a Postgres source as its role sees it: whether it answers, what the role may do, and the settings that are its wall. */
export async function checkPostgres(
  { connections, schemas }: { readonly connections: PostgresConnections; readonly schemas: readonly string[] },
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const ask = { connections, timeoutMs: POSTGRES_LIMITS.query.checkMs }
  const rows = await askCatalog(ask, FACTS, [schemas], factsRow, signal).catch((error: unknown) => {
    if (!(error instanceof WarehouseError)) throw error
    report({ check: 'answer', state: 'failed', found: `${connections.description}: ${error.message}` })
  })
  const [facts] = rows ?? []
  if (facts === undefined) return
  const { version, role, isPowerful, logLevel, tempFiles, readable, writable } = facts
  report({ check: 'answer', state: 'ok', found: `${connections.description} answers: Postgres ${version}` })
  const advice = `Apply ${READER_SQL}.`
  if (isPowerful) report({ check: 'rights', state: 'failed', found: `the role ${role} may do more than read`, advice })
  else if (writable !== null)
    report({ check: 'rights', state: 'failed', found: `the role ${role} may change ${writable[0]}`, advice })
  else report({ check: 'rights', state: 'ok', found: `the role ${role} may only read` })
  // With another level, the server logs the analyzed tree of each query, with the query's values.
  if (logLevel !== 'panic') report({ check: 'log', state: 'warning', found: `log_min_messages is ${logLevel}`, advice })
  if (tempFiles === '-1') report({ check: 'disk', state: 'warning', found: 'temp_file_limit is not set', advice })
  const asked = schemas.join(', ')
  if (readable === 0) {
    const found = `${asked}: no table that the role may read`
    report({ check: 'tables', state: 'failed', found, advice: `Grant them, as in ${READER_SQL}.` })
  } else report({ check: 'tables', state: 'ok', found: `${asked}: ${readable} ${readable === 1 ? 'table' : 'tables'}` })
}
