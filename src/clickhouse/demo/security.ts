import { ConfigurationError } from '../../base/errors.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readDemoSecurityStatements } from './world-statements.ts'

/** This name must be the same as in demo/pipelines/cve_enrichment.yaml. */
const DATABASE = 'security'
/**
 * The comment on the database that the demo creates. A database of this name without this comment is not the demo's and is not
 * touched.
 */
const MARK = 'Vulnerabilities of the demo, made anew at its start'

/**
 * Runs `demo/world/security.sql`. It creates two tables about vulnerabilities, which the demo's pipeline reads. They always have
 * the same few hundred rows.
 * @throws ConfigurationError if the database exists and is not the demo's
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
