import { ConfigurationError } from '../errors.ts'
import { readDemoSecurityStatements } from './demo-world-statements.ts'
import type { Warehouse } from './warehouse.ts'

/** The name that demo/pipelines/cve_enrichment.yaml reads it by. */
const DATABASE = 'security'
/** The database's comment: whatever has another is not the demo's. */
const MARK = 'Vulnerabilities of the demo, made anew at its start'

/**
 * Makes the vulnerabilities that the demo's pipeline reads: two tables of some hundred rows, the same every time, by `demo/world/security.sql`.
 * @throws ConfigurationError when a database of that name exists and was not made by this
 * @throws WarehouseError
 */
export async function loadDemoSecurity(warehouse: Pick<Warehouse, 'readOwn' | 'write'>, signal: AbortSignal): Promise<void> {
  await warehouse.write({ sql: `CREATE DATABASE IF NOT EXISTS ${DATABASE} COMMENT '${MARK}'`, database: 'system' }, signal)
  const { rows } = await warehouse.readOwn(
    {
      sql: 'SELECT comment FROM system.databases WHERE name = {database:String}',
      parameters: { database: DATABASE },
      database: 'system',
    },
    signal,
  )
  if (rows[0]?.[0] !== MARK) {
    throw new ConfigurationError(
      `The database ${DATABASE} exists and was not made by the demo; give the demo an engine of its own by CLICKHOUSE_URL=chdb:/some/dir.`,
    )
  }
  for (const sql of readDemoSecurityStatements()) await warehouse.write({ sql, database: DATABASE }, signal)
}
