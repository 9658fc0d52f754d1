import { z } from 'zod'
import type { ReaderParts } from '../../warehouse/catalog/cached-catalog.ts'
import type { CatalogReader, ServerFacts } from '../../warehouse/catalog/reader.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readDatabases, setDatabaseAdvice } from '../databases-with-tables.ts'
import { SERVER_CODES } from '../server-codes.ts'
import { fetchTables } from './fetch-tables.ts'
import { gatherStatistics } from './gather-statistics.ts'
import { isScannable } from './plan-scan.ts'
import { readDigests, readTableList } from './read-table-list.ts'

interface ServerReaderDeps extends ReaderParts {
  readonly warehouse: Warehouse
  /** The databases to read. A table name without a database is looked up in the first one. */
  readonly databases: readonly string[]
}

/**
 * Reads the catalog from the server's system tables. If a configured database does not exist, the error names databases that have
 * tables.
 */
export function createServerReader(deps: ServerReaderDeps): CatalogReader {
  const { warehouse, databases, timeoutMs } = deps
  const reading = { warehouse, databases, timeoutMs }

  async function advised<Value>(read: Promise<Value>, signal: AbortSignal): Promise<Value> {
    try {
      return await read
    } catch (error) {
      const isUnknown = error instanceof WarehouseError && error.serverCode === SERVER_CODES.unknown_name.UNKNOWN_DATABASE
      throw isUnknown ? await unknownDatabase(error, signal) : error
    }
  }

  async function unknownDatabase(error: WarehouseError, signal: AbortSignal): Promise<WarehouseError> {
    const { kind, serverCode } = error
    const [asked = ''] = databases
    const known = await readDatabases(warehouse, signal).catch(() => undefined)
    const found = `${error.message.replace(/(?<![.?\s])[.?\s]+$/, '')}, or the user may not see it.`
    const message = `CLICKHOUSE_DATABASE: ${found}${known === undefined ? '' : ` ${setDatabaseAdvice(asked, known)}`}`
    return new WarehouseError(message, { kind, ...(serverCode === undefined ? {} : { serverCode }), cause: error })
  }

  return {
    tables: (signal, only) => advised(readTableList(reading, signal, only), signal),
    digests: signal => advised(readDigests(reading, signal), signal),
    server: signal => advised(readServer(warehouse, databases, timeoutMs, signal), signal),
    entries: (listed, signal) => advised(fetchTables(deps, listed, timeoutMs, signal), signal),
    isScannable: ({ entry, listed }) => isScannable(entry.engine, listed.rows),
    gather: (tables, all, take, signal) => gatherStatistics(deps, tables, all, take, signal),
  }
}

const SQL = `
SELECT version() AS serverVersion, timezone() AS timeZone,
  (SELECT arraySort(groupArray((name, comment))) FROM system.databases WHERE name IN {databases:Array(String)}) AS databases`

const serverRow = z.object({
  serverVersion: z.string(),
  timeZone: z.string(),
  databases: z.array(z.tuple([z.string(), z.string()]).transform(([name, comment]) => ({ name, comment }))),
})

/**
 * Reads the facts of the server: version, time zone and databases.
 * @throws WarehouseError
 */
async function readServer(
  warehouse: Warehouse,
  databases: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const [facts] = await readRows(warehouse, { sql: SQL, parameters: { databases }, timeoutMs }, serverRow, signal)
  return facts ?? { serverVersion: 'unknown', timeZone: 'UTC', databases: [] }
}
