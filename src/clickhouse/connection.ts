import type { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { personAtHand } from '../base/watched-work.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { PERSON_HEADER, personKey } from './engine/person-header.ts'
import { CLICKHOUSE_LIMITS } from './limits.ts'
import { failureOfAnswer, failureOfConnection } from './server-failure.ts'

export interface ConnectionAddress {
  readonly url: string
  readonly username: string
  readonly password: string
}

export interface Statement {
  readonly sql: string
  readonly queryId: string
  readonly database: string
  /** The roles that the statement runs with. Undefined for the user's default roles. */
  readonly roles: readonly string[] | undefined
  readonly parameters: Readonly<Record<string, string | number | readonly string[]>> | undefined
  readonly settings: Readonly<Record<string, string>> | undefined
}

export interface StatementAnswer {
  readonly stream: Readable
  readonly exceptionTag: string | undefined
}

/** A connection to ClickHouse as one user. Sends and kills statements. Every failure becomes a WarehouseError. */
export class ClickHouseConnection {
  readonly #client: ClickHouseClient
  /** A second client for KILL statements, with sockets of its own. So a kill gets through even if all other sockets are busy. */
  readonly #control: ClickHouseClient

  constructor(address: ConnectionAddress) {
    const { idleSocketTtlMs, maxOpenConnections, socketTimeoutMs } = CLICKHOUSE_LIMITS.connection
    const open = (sockets: number) =>
      createClient({
        ...address,
        application: 'clew',
        max_open_connections: sockets,
        request_timeout: socketTimeoutMs,
        keep_alive: { enabled: true, idle_socket_ttl: idleSocketTtlMs, eagerly_destroy_stale_sockets: true },
        log: { level: ClickHouseLogLevel.OFF },
      })
    this.#client = open(maxOpenConnections)
    this.#control = open(2)
  }

  /**
   * Sends a statement and returns the answer while its body is still arriving. The caller must read the body to the end or
   * destroy it.
   * @throws WarehouseError
   */
  async send(statement: Statement, signal: AbortSignal): Promise<StatementAnswer> {
    signal.throwIfAborted()
    const { queryId } = statement
    const answer = await this.#client
      .exec({
        query: statement.sql,
        query_id: queryId,
        query_params: statement.parameters,
        clickhouse_settings: statement.settings,
        ...(statement.roles === undefined ? {} : { role: [...statement.roles] }),
        // The client has one database for all queries; this header sets another for a single query. Node writes headers as
        // Latin-1, so this encoding passes the UTF-8 bytes through unchanged.
        http_headers: {
          'X-ClickHouse-Database': Buffer.from(statement.database, 'utf8').toString('latin1'),
          [PERSON_HEADER]: personKey(personAtHand()),
        },
        abort_signal: signal,
        ignore_error_response: true,
      })
      .catch((error: unknown) => {
        throw failureOfConnection(error, queryId)
      })
    const code = header(answer.response_headers['x-clickhouse-exception-code'])
    const status = answer.http_status_code ?? 200
    if (status !== 200 || code !== undefined) {
      throw failureOfAnswer({ status, code, text: await readText(answer.stream, queryId), queryId })
    }
    if (!Object.keys(answer.response_headers).some(name => name.startsWith('x-clickhouse-'))) {
      answer.stream.destroy()
      throw new WarehouseError('The server there is not ClickHouse', { kind: 'query', queryId })
    }
    return { stream: answer.stream, exceptionTag: header(answer.response_headers['x-clickhouse-exception-tag']) }
  }

  /** Kills a statement of the same user. Waits until the server confirms it, up to a time limit. Never throws. */
  async kill(queryId: string): Promise<void> {
    try {
      await this.#control.command({
        query: 'KILL QUERY WHERE query_id = {id:String} SYNC',
        query_params: { id: queryId },
        abort_signal: AbortSignal.timeout(CLICKHOUSE_LIMITS.connection.killWaitMs),
      })
    } catch {
      // The server may be unreachable or refuse the kill. The query then stops at the server's limits, or when its connection
      // closes.
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#control.close()])
  }
}

function header(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

async function readText(stream: Readable, queryId: string): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  } catch (error) {
    throw failureOfConnection(error, queryId)
  }
  return Buffer.concat(chunks).toString('utf8')
}
