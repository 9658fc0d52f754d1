import { once } from 'node:events'
import { Duplex } from 'node:stream'
import pg from 'pg'
import { z } from 'zod'
import { ConfigurationError } from '../base/errors.ts'
import { abortable } from '../store/abortable.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { cancelledQuery, timedOutQuery } from '../warehouse/timed-query.ts'
import { POSTGRES_LIMITS } from './limits.ts'
import { failureOf, wasEnded } from './server-failure.ts'

const { max, idleMs, openMs, cancelMs } = POSTGRES_LIMITS.connection
const { lockMs } = POSTGRES_LIMITS.query

/** How a transaction runs. */
export interface TransactionOptions {
  /** The time limit of each statement in milliseconds. */
  readonly timeoutMs: number
  /** The transaction has only the rights of this role. Default: the connected role. */
  readonly role?: string | undefined
  /** The schema of names that are written without one. Default: they are not found. */
  readonly schema?: string | undefined
  /** Whether the server sends the analyzed tree of each statement as a notice. */
  readonly printTrees?: boolean
}

/**
 * The connections to one Postgres database, as one role. Every failure becomes a WarehouseError, and no message has the password.
 */
export class PostgresConnections {
  /** The address without user and password, for messages. */
  readonly description: string
  readonly #pool: pg.Pool
  /** A connection of its own for ending queries, so that an end gets through while all others are busy. */
  readonly #control: pg.Pool

  /**
   * @param url `postgres://user:password@host:port/database`, with options such as `?sslmode=verify-full`
   * @throws ConfigurationError if it is no such URL
   */
  constructor(url: string) {
    this.description = describeAddress(url)
    this.#pool = openPool({ connectionString: url, max, idleTimeoutMillis: idleMs })
    this.#control = openPool({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
  }

  /**
   * Runs a read-only transaction and rolls it back at its end. Times are in UTC.
   * @throws WarehouseError
   */
  withTransaction<T>(options: TransactionOptions, work: (client: pg.PoolClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.withClient(async client => {
      const began = performance.now()
      try {
        await begin(client, options)
        return await work(client)
      } catch (error) {
        const failure = failureOf(error)
        const isLate = wasEnded(failure) && performance.now() - began >= options.timeoutMs
        throw isLate ? timedOutQuery(options.timeoutMs, error) : failure
      } finally {
        // If this fails, the connection is lost, and the pool drops it.
        await client.query('ROLLBACK').catch(() => {})
      }
    }, signal)
  }

  /**
   * Gives `work` a connection. After an abort, the statement that runs on it is ended in the server too.
   * @throws WarehouseError; after an abort its kind is `cancelled`
   */
  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>, signal: AbortSignal): Promise<T> {
    const client = await this.#connect(signal)
    let ending: Promise<void> | undefined
    const onAbort = () => {
      ending = this.#end(client)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await work(client)
    } catch (error) {
      throw signal.aborted ? cancelledQuery(error) : failureOf(error)
    } finally {
      signal.removeEventListener('abort', onAbort)
      await ending
      client.release(ending !== undefined)
    }
  }

  /** Closes all connections, once nobody uses them. */
  async close(): Promise<void> {
    await this.#pool.end()
    await this.#control.end()
  }

  async #connect(signal: AbortSignal): Promise<pg.PoolClient> {
    if (signal.aborted) throw cancelledQuery(signal.reason)
    const connecting = this.#pool.connect()
    try {
      return await abortable(connecting, signal)
    } catch (error) {
      if (!signal.aborted) throw failureOf(error)
      // A connection that comes too late goes back to the pool.
      connecting.then(client => client.release()).catch(() => {})
      throw cancelledQuery(error)
    }
  }

  /**
   * Ends a connection in the server, with the statement that it runs. The server ignores a cancellation that arrives between two
   * messages, and no other statement may use the connection afterwards. So the whole connection is ended. Never throws.
   */
  async #end(client: pg.PoolClient): Promise<void> {
    const { processID, connection } = clientSchema.parse(client)
    try {
      const closed = once(connection.stream, 'close', { signal: AbortSignal.timeout(cancelMs) })
      await Promise.all([closed, this.#control.query('SELECT pg_catalog.pg_terminate_backend($1)', [processID])])
    } catch {
      // Without a connection for it, nothing can be ended. The server's own time limit remains.
    } finally {
      connection.stream.destroy()
    }
  }
}

/** Returns the socket of a connection, whose bytes can be counted and which can be cut. */
export function socketOf(client: pg.ClientBase): Duplex {
  return clientSchema.parse(client).connection.stream
}

/** The members that the driver's types leave out. */
const clientSchema = z.object({
  processID: z.number(),
  connection: z.object({ stream: z.instanceof(Duplex) }),
})

function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, keepAlive: true, application_name: 'clew', Client: ImpatientClient })
  // Without listeners, a connection that is lost while idle or in use would end the process. Its queries fail by themselves.
  pool.on('error', () => {})
  pool.on('connect', client => void client.on('error', () => {}))
  return pool
}

/** A client with a time limit for opening its connection. The pool's own limit would include waiting for a free connection. */
class ImpatientClient extends pg.Client {
  constructor(options?: pg.ClientConfig) {
    super({ ...options, connectionTimeoutMillis: openMs })
  }
}

async function begin(client: pg.ClientBase, options: TransactionOptions): Promise<void> {
  try {
    await client.query(beginning(options))
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && ROLE_REFUSED.includes(error.code ?? '')
    if (!isRefused || options.role === undefined) throw error
    const message = `The server has no role ${options.role}, or it was not granted to Clew’s role (GRANT … TO clew_reader).`
    throw new WarehouseError(message, { kind: 'denied', cause: error })
  }
}

/** The SQLSTATEs of SET ROLE for a role that does not exist, and for one that was not granted. */
const ROLE_REFUSED = ['22023', '42501']

function beginning({ timeoutMs, role, schema, printTrees }: TransactionOptions): string {
  const settings = [
    ...(role === undefined ? [] : [`SET LOCAL ROLE ${pg.escapeIdentifier(role)}`]),
    `SET LOCAL statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`,
    `SET LOCAL lock_timeout = ${lockMs}`,
    `SET LOCAL search_path = ${schema === undefined ? "''" : pg.escapeIdentifier(schema)}`,
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL DateStyle = 'ISO'",
    "SET LOCAL IntervalStyle = 'postgres'",
    "SET LOCAL bytea_output = 'hex'",
    'SET LOCAL extra_float_digits = 1',
    // The guard reads string literals as the standard does, at judging and at running.
    'SET LOCAL standard_conforming_strings = on',
    ...(printTrees
      ? ['SET LOCAL debug_pretty_print = off; SET LOCAL debug_print_parse = on; SET LOCAL client_min_messages = log']
      : []),
  ]
  return `BEGIN READ ONLY; ${settings.join('; ')}`
}

function describeAddress(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address === undefined || !['postgres:', 'postgresql:'].includes(address.protocol) || address.pathname.length < 2) {
    throw new ConfigurationError('The URL of a Postgres source must look like postgres://user:password@host:5432/database.')
  }
  return `${address.host}${address.pathname}`
}
