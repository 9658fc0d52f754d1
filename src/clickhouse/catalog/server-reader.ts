import type { Logger } from '../../base/logger.ts'
import type { CatalogReader } from '../../warehouse/catalog/reader.ts'
import { WarehouseError } from '../../warehouse/error.ts'
import type { PrivateColumnTest } from '../../warehouse/private-columns.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { readDatabases, setDatabaseAdvice } from '../databases-with-tables.ts'
import { SERVER_CODES } from '../server-codes.ts'
import { fetchTables } from './fetch-tables.ts'
import { gatherStatistics } from './gather-statistics.ts'
import { isScannable } from './plan-scan.ts'
import { readServer } from './read-server.ts'
import { readDigests, readTableList } from './read-table-list.ts'

interface ServerReaderDeps {
  readonly warehouse: Warehouse
  readonly logger: Logger
  readonly now: () => number
  readonly isPrivate: PrivateColumnTest
}

interface ServerReaderOptions {
  /** The requested databases. The first one is the database of names without one. */
  readonly databases: readonly string[]
  readonly timeoutMs: number
}

/** Reads the catalog from the server's system tables. If a database is unknown, the error names the databases that have tables. */
export function createServerReader(deps: ServerReaderDeps, { databases, timeoutMs }: ServerReaderOptions): CatalogReader {
  const { warehouse } = deps
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
