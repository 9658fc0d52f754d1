import { readFile } from 'node:fs/promises'
import { packageFile } from '../../base/package-files.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { runSql } from '../local/run-sql.ts'
import type { LocalPostgres } from '../local/server.ts'

/** The network whose customers the tables are about. Its data end at the anchor. */
export interface CrmNetwork {
  readonly warehouse: Pick<Warehouse, 'read'>
  readonly database: string
  readonly anchor: Date
}

/**
 * Makes the tables of the network's customers on an empty server, and lets the reader's role read them.
 * @throws Error of the driver
 */
export async function createDemoCrm(server: Pick<LocalPostgres, 'adminUrl' | 'createReader'>): Promise<void> {
  await runSql(server.adminUrl, await readSql('tables.sql'))
  // `tables.sql` makes this schema.
  await server.createReader('shop')
}

/**
 * Fills the tables anew, with the customers of the accounts that the network has now.
 * @throws WarehouseError; Error of the driver
 */
export async function fillDemoCrm(
  server: Pick<LocalPostgres, 'adminUrl'>,
  { warehouse, database, anchor }: CrmNetwork,
  signal: AbortSignal,
): Promise<void> {
  const parameters = { anchor: anchor.toISOString().slice(0, 19).replace('T', ' ') }
  const [accounts, links, rows] = await Promise.all([
    readSql('network.sql').then(sql => warehouse.read({ sql, parameters, database }, signal)),
    warehouse.read({ sql: "SELECT code FROM dz_links WHERE status = 'activated' ORDER BY code", database }, signal),
    readSql('rows.sql'),
  ])
  const names = accounts.columns.map(({ name }) => name)
  await runSql(server.adminUrl, rows, {
    'demo.network': JSON.stringify(accounts.rows.map(row => Object.fromEntries(names.map((name, at) => [name, row[at]])))),
    'demo.links': JSON.stringify(links.rows.map(([code]) => code)),
    'demo.anchor': anchor.toISOString(),
  })
}

function readSql(file: string): Promise<string> {
  return readFile(packageFile('demo', 'crm', file), 'utf8')
}
