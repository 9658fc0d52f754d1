import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigurationError, errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { WarehouseError, type WarehouseErrorKind } from '../warehouse/error.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { ClickHouseConnection, type ConnectionAddress } from './connection.ts'
import { FAILURE_CODES, STARTED_ANEW } from './engine/failure.ts'
import { type EmbeddedEngine, openEmbeddedEngine } from './engine/open-embedded-engine.ts'
import { QuerySlots } from './engine/query-slots.ts'
import { readerSlots } from './engine/reader-slots.ts'
import { HttpWarehouse, type WarehouseConnections } from './http-warehouse.ts'
import { CLICKHOUSE_LIMITS, EXACT_OUTPUT_SETTINGS, READER_SETTINGS } from './limits.ts'

export interface OpenWarehouseOptions {
  /** The address of the warehouse: `http(s)://user:password@host:8123`, `chdb:/dir` or `chdb:memory`. */
  readonly url: string
  /** The environment variable that holds the address, for messages. Default: CLICKHOUSE_URL. */
  readonly variable?: string
  /** Whether the folder of an embedded engine is created. Without it, a folder that is missing is an error. */
  readonly createsFolder?: boolean
  /** The database of the tables that a statement names without one. */
  readonly database: string
  /** Clew reads at most this many bytes of a result. The rest is cut off, and the result is marked as cut. */
  readonly maxBytes: number
  /** The time limit of one read, in milliseconds. */
  readonly timeoutMs: number
  readonly logger: Logger
}

/** Kinds of failures that may disappear by themselves within a minute. A wrong configuration does not. */
const WAITED_FOR: readonly WarehouseErrorKind[] = ['cancelled', 'unavailable', 'timeout', 'resource']

/**
 * Connects to the warehouse in CLICKHOUSE_URL. Starts or joins the embedded engine, or connects to the server and checks the
 * credentials.
 * @throws ConfigurationError with one sentence that names CLICKHOUSE_URL and contains no password
 */
export async function openWarehouse(options: OpenWarehouseOptions, signal: AbortSignal): Promise<Warehouse> {
  const { connections, description } = await connect(options, signal)
  const deps = { ...options, connections, description, readerSettings: undefined }
  try {
    const readerSettings = await readerSettingsOf(new HttpWarehouse(deps), signal)
    return new HttpWarehouse({ ...deps, readerSettings })
  } catch (error) {
    await connections.close()
    throw cannotOpen(options.variable ?? 'CLICKHOUSE_URL', description, error)
  }
}

/**
 * Connects without checks, for callers that only inspect the warehouse or write to it. Sends no settings with reads, so numbers
 * in results may be wrong.
 * @throws ConfigurationError
 */
export async function openUncheckedWarehouse(options: OpenWarehouseOptions, signal: AbortSignal): Promise<Warehouse> {
  return new HttpWarehouse({ ...options, ...(await connect(options, signal)), readerSettings: undefined })
}

/** Opens a warehouse on an engine that the caller has opened. When the warehouse is closed, the engine stays open. */
export async function openWarehouseOn(engine: EmbeddedEngine, options: Omit<OpenWarehouseOptions, 'url'>): Promise<Warehouse> {
  return new HttpWarehouse({
    ...options,
    description: `embedded ClickHouse in ${engine.directory}`,
    connections: engineConnections(engine, { closesEngine: false, logger: options.logger }),
    readerSettings: undefined,
  })
}

/**
 * Returns the data folder from the URL of an embedded engine: `/dir` from `chdb:/dir`. Returns undefined for the URL of a server.
 */
export function embeddedDirectory(url: string): string | undefined {
  return /^chdb:(.+)$/.exec(url)?.[1]
}

async function connect(
  { url, variable = 'CLICKHOUSE_URL', createsFolder = false, timeoutMs, logger }: OpenWarehouseOptions,
  signal: AbortSignal,
): Promise<{ connections: WarehouseConnections; description: string }> {
  const directory = embeddedDirectory(url)
  if (directory !== undefined && directory !== 'memory' && !createsFolder && !existsSync(directory)) {
    const wayOut = 'Correct the path, or load files into it: `clew load FILE…`.'
    throw new ConfigurationError(`${variable}: there is no folder ${resolve(directory)}. ${wayOut}`)
  }
  return directory === undefined ? toServer(url) : toEmbeddedEngine(directory, { readTimeoutMs: timeoutMs, logger }, signal)
}

async function toEmbeddedEngine(
  directory: string,
  { readTimeoutMs, logger }: { readonly readTimeoutMs: number; readonly logger: Logger },
  signal: AbortSignal,
): Promise<{ connections: WarehouseConnections; description: string }> {
  const engine = await openEmbeddedEngine({ directory, readTimeoutMs }, signal)
  const description = directory === 'memory' ? 'embedded ClickHouse in memory' : `embedded ClickHouse in ${engine.directory}`
  return { description, connections: engineConnections(engine, { closesEngine: true, logger }) }
}

function engineConnections(
  engine: EmbeddedEngine,
  options: { readonly closesEngine: boolean; readonly logger: Logger },
): WarehouseConnections {
  let open: (Awaited<ReturnType<WarehouseConnections['current']>> & { readonly pid: number }) | undefined
  const { readers, writers } = CLICKHOUSE_LIMITS.engine
  // Each running read needs a socket. So the reads in ordinary and extra slots together are limited to the number of sockets.
  const slowReaders = CLICKHOUSE_LIMITS.connection.maxOpenConnections - readers
  return {
    slots: { reader: readerSlots(slowReaders), writer: new QuerySlots({ size: writers }) },
    async current(signal) {
      const endpoint = await engine.endpoint(signal)
      const before = open
      if (before?.pid === endpoint.pid) return before
      open = {
        pid: endpoint.pid,
        reader: new ClickHouseConnection(endpoint.reader),
        writer: new ClickHouseConnection(endpoint.writer),
        takeTurn: waiting =>
          endpoint.takeTurn(waiting).catch(cause => {
            const serverCode = FAILURE_CODES.tooManySimultaneousQueries
            throw new WarehouseError(STARTED_ANEW, { kind: 'unavailable', serverCode, cause })
          }),
      }
      if (before !== undefined) {
        options.logger.warn({ directory: engine.directory }, 'the embedded engine had ended; another one serves its folder')
        await Promise.all([before.reader.close(), before.writer.close()])
      }
      return open
    },
    async close() {
      await open?.reader.close()
      await open?.writer.close()
      if (options.closesEngine) await engine.close()
    },
  }
}

function toServer(text: string): { connections: WarehouseConnections; description: string } {
  const address = parseServerUrl(text)
  const connection = new ClickHouseConnection(address)
  const slots = new QuerySlots({ size: CLICKHOUSE_LIMITS.connection.maxOpenConnections })
  return {
    description: `ClickHouse at ${address.url} as ${address.username}`,
    connections: {
      slots: { reader: slots, writer: slots },
      current: async () => ({ reader: connection, writer: connection }),
      close: () => connection.close(),
    },
  }
}

function parseServerUrl(text: string): ConnectionAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigurationError('CLICKHOUSE_URL must be http(s)://user:password@host:8123, chdb:/some/folder or chdb:memory.')
  }
  const { username, password } = url
  return {
    url: `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`,
    username: decodeURIComponent(username) || 'default',
    password: decodeURIComponent(password),
  }
}

/**
 * Returns the settings to send with each read: the limits, and `readonly` for a user with the right to write. Returns undefined
 * if the user is not allowed to change settings (`readonly = 1`).
 */
async function readerSettingsOf(
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  const names = Object.keys(EXACT_OUTPUT_SETTINGS)
  const { rows } = await warehouse.read(
    {
      sql: `SELECT toString(getSetting('readonly')), ${names.map(name => `toString(toInt64(getSetting('${name}')))`).join(', ')}`,
      database: 'system',
      timeoutMs: CLICKHOUSE_LIMITS.query.timeoutMs,
    },
    signal,
  )
  const [readonly, ...values] = rows[0] ?? []
  if (readonly === '0') return { ...READER_SETTINGS, readonly: '1' }
  if (readonly !== '1') return READER_SETTINGS
  const wrong = Object.entries(EXACT_OUTPUT_SETTINGS).filter(([, value], index) => values[index] !== value)
  if (wrong.length > 0) {
    throw new ConfigurationError(
      `the user is read-only and its profile lacks ${wrong.map(([name, value]) => `${name} = ${value}`).join(', ')}, without which numbers arrive wrong`,
    )
  }
  return undefined
}

function cannotOpen(variable: string, description: string, error: unknown): Error {
  const message = `${variable}: ${description} cannot be used: ${errorMessage(error).replace(/(?<![.\s])[.\s]+$/, '')}.`
  if (error instanceof WarehouseError && WAITED_FOR.includes(error.kind)) {
    const wayOut = error.kind === 'unavailable' ? ' Is ClickHouse running there?' : ''
    return new WarehouseError(`${message}${wayOut}`, { kind: error.kind, cause: error })
  }
  return new ConfigurationError(message, { cause: error })
}
