import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { breather } from '../base/slices.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { timedQuery } from '../warehouse/timed-query.ts'
import { limitedToRows, type QueryResult, type ReadQuery, type Warehouse, type WriteStatement } from '../warehouse/warehouse.ts'
import type { ClickHouseConnection, Statement, StatementAnswer } from './connection.ts'
import { CRASHED, FAILURE_CODES } from './engine/failure.ts'
import type { EngineLease } from './engine/lease.ts'
import type { QuerySlots } from './engine/query-slots.ts'
import { type CompactResult, readCompactDocument, readCutDocument } from './json-compact.ts'
import { CLICKHOUSE_LIMITS, EXACT_OUTPUT_SETTINGS } from './limits.ts'
import { connectionLost, failureOfConnection, isStartedAnew, neverStarted, serverWasFull } from './server-failure.ts'

const { retry: RETRY, startedAnewMs, furtherEngines, deadlineGraceMs } = CLICKHOUSE_LIMITS.connection

type User = 'reader' | 'writer'

/**
 * The current connections to the warehouse. After an embedded engine has died, they lead to the next engine, which has another
 * address.
 */
export interface WarehouseConnections {
  current(signal: AbortSignal): Promise<{
    readonly reader: ClickHouseConnection
    readonly writer: ClickHouseConnection
    /** Waits for the turn to repeat a statement whose connection was lost. Undefined for a server. */
    readonly takeTurn?: (signal: AbortSignal) => Promise<EngineLease>
  }>
  /** Limit how many statements this process runs at the same time. The time limit of a statement begins when it has a slot. */
  readonly slots: { readonly reader: QuerySlots; readonly writer: QuerySlots }
  close(): Promise<void>
}

export interface HttpWarehouseDeps {
  readonly description: string
  readonly connections: WarehouseConnections
  /** The database of the tables that a statement names without one. */
  readonly database: string
  readonly maxBytes: number
  readonly timeoutMs: number
  /**
   * Settings sent with each read. Undefined if the reading user is not allowed to change settings; the user's profile must then
   * contain them.
   */
  readonly readerSettings: Readonly<Record<string, string>> | undefined
  readonly logger: Logger
}

interface Consumed<T> {
  readonly statement: Statement
  readonly result: T
  readonly cut: boolean
}

type Sent = WriteStatement & { readonly queryId: string; onSent(): void }

interface Work<T> {
  readonly sql: string
  readonly settings: Statement['settings']
  readonly user: User
  /** Whether the statement may run more than once. */
  readonly repeats: boolean
  readonly roles: readonly string[] | undefined
  consume(answer: StatementAnswer, statement: Statement): Promise<Pick<Consumed<T>, 'result' | 'cut'>>
}

/** A warehouse behind ClickHouse's HTTP interface: a server or the embedded engine. */
export class HttpWarehouse implements Warehouse {
  readonly description: string
  readonly #deps: HttpWarehouseDeps

  constructor(deps: HttpWarehouseDeps) {
    this.description = deps.description
    this.#deps = deps
  }

  read(query: ReadQuery, signal: AbortSignal): Promise<QueryResult> {
    return this.#readAs('reader', this.#deps.readerSettings, query, signal)
  }

  readOwn(query: ReadQuery, signal: AbortSignal): Promise<QueryResult> {
    return this.#readAs('writer', EXACT_OUTPUT_SETTINGS, query, signal)
  }

  async #readAs(
    user: User,
    settings: Readonly<Record<string, string>> | undefined,
    query: ReadQuery,
    signal: AbortSignal,
  ): Promise<QueryResult> {
    const timeoutMs = query.timeoutMs ?? this.#deps.timeoutMs
    const { statement, result, cut, elapsedMs } = await this.#run(query, timeoutMs, signal, {
      sql: `${query.maxRows === undefined ? query.sql : limitedToRows(query.sql, query.maxRows)}\nFORMAT JSONCompact`,
      settings: settings && { ...settings, max_execution_time: String(Math.ceil(timeoutMs / 1000)) },
      user,
      repeats: true,
      roles: query.roles,
      consume: (answer, { queryId }) => this.#readResult(answer, queryId, query),
    })
    const rows = query.maxRows === undefined ? result.rows : result.rows.slice(0, query.maxRows)
    return {
      columns: result.columns,
      rows,
      truncated: cut || rows.length < result.rows.length,
      elapsedMs,
      queryId: statement.queryId,
      rowsRead: result.rowsRead,
      bytesRead: result.bytesRead,
    }
  }

  async write(statement: WriteStatement, signal: AbortSignal): Promise<void> {
    await this.#run(statement, statement.timeoutMs ?? CLICKHOUSE_LIMITS.writeTimeoutMs, signal, {
      sql: statement.sql,
      settings: undefined,
      user: 'writer',
      repeats: false,
      roles: undefined,
      consume: async ({ stream, exceptionTag }, { queryId }) => {
        const { body } = await readAtMost(stream, {
          maxBytes: Number.POSITIVE_INFINITY,
          maxValues: Number.POSITIVE_INFINITY,
          queryId,
        })
        if (body.length > 0 && exceptionTag !== undefined) await readCompactDocument(body, { tag: exceptionTag, queryId })
        return { result: undefined, cut: false }
      },
    })
  }

  async close(): Promise<void> {
    await this.#deps.connections.close()
  }

  /** Waits for a free slot, and then runs one statement. */
  async #run<T>(
    query: WriteStatement & Pick<ReadQuery, 'onSent'>,
    timeoutMs: number,
    signal: AbortSignal,
    work: Work<T>,
  ): Promise<Consumed<T> & { readonly elapsedMs: number }> {
    const queryId = query.queryId ?? randomUUID()
    const graceMs = work.settings === undefined ? 0 : deadlineGraceMs
    const { result, elapsedMs } = await timedQuery({ queryId, timeoutMs, graceMs }, signal, (ended, onSent) =>
      this.#deps.connections.slots[work.user].run(ended, () => {
        onSent()
        query.onSent?.()
        return this.#send({ ...query, queryId, onSent }, ended, work)
      }),
    )
    return { ...result, elapsedMs }
  }

  /** Sends one statement, with retries. If the call is aborted, also stops the statement on the server. */
  async #send<T>(query: Sent, ended: AbortSignal, work: Work<T>): Promise<Consumed<T>> {
    let lost = 0
    let turn: EngineLease | undefined
    let lostWith: ClickHouseConnection | undefined
    let connection: ClickHouseConnection | undefined
    let attempt = 0
    let refusals = 0
    const began = performance.now()
    const mayRepeat = (error: unknown) => {
      if (!(error instanceof WarehouseError) || ended.aborted) return false
      if (isStartedAnew(error) && performance.now() - began < startedAnewMs) {
        refusals += 1
        return true
      }
      // An engine that is shutting down may refuse a statement many times until it closes the connection. These refusals are not
      // counted as attempts.
      if (attempt - refusals > RETRY.attempts) return false
      if (neverStarted(error)) return true
      if (!work.repeats) return false
      if (!connectionLost(error)) return serverWasFull(error)
      // On one server or engine, a read is repeated once.
      const isRepeated = connection !== lostWith && (turn?.lapsed === true || lost++ < furtherEngines)
      lostWith = connection
      return isRepeated
    }
    const policy = retry(
      handleWhen(error => mayRepeat(error)),
      { backoff: new ExponentialBackoff({ initialDelay: RETRY.initialDelayMs, maxDelay: RETRY.maxDelayMs }) },
    )
    const { queryId } = query
    try {
      return await policy.execute(async () => {
        attempt += 1
        const statement: Statement = {
          sql: work.sql,
          // After a lost connection, the query may still run under its first id, so a repetition gets another one. A statement
          // that must not run twice keeps its id: it is repeated only if it has not begun.
          queryId: attempt === 1 || !work.repeats ? queryId : `${queryId}-${attempt}`,
          database: query.database ?? this.#deps.database,
          roles: work.roles,
          parameters: query.parameters,
          settings: work.settings,
        }
        const { takeTurn, ...connections } = await this.#deps.connections.current(ended)
        if (lost > 0) turn = await takeTurn?.(ended)
        if (turn !== undefined) query.onSent()
        connection = connections[work.user]
        try {
          return await this.#attempt(connection, statement, ended, work.consume)
        } finally {
          turn?.release()
        }
      }, ended)
    } catch (error) {
      if (error instanceof WarehouseError && !ended.aborted) {
        this.#deps.logger.debug({ queryId, kind: error.kind, serverCode: error.serverCode, attempts: attempt }, 'query failed')
      }
      if (lost <= furtherEngines) throw error
      throw new WarehouseError(CRASHED, { kind: 'query', serverCode: FAILURE_CODES.logicalError, queryId, cause: error })
    }
  }

  async #attempt<T>(
    connection: ClickHouseConnection,
    statement: Statement,
    signal: AbortSignal,
    consume: Work<T>['consume'],
  ): Promise<Consumed<T>> {
    try {
      const answer = await connection.send(statement, signal)
      const onAbort = () => answer.stream.destroy(new Error('aborted'))
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        const consumed = await consume(answer, statement)
        if (consumed.cut) await connection.kill(statement.queryId)
        return { statement, ...consumed }
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    } catch (error) {
      if (signal.aborted) await connection.kill(statement.queryId)
      throw error instanceof WarehouseError ? error : failureOfConnection(error, statement.queryId)
    }
  }

  async #readResult(
    answer: StatementAnswer,
    queryId: string,
    { room, maxRows }: Pick<ReadQuery, 'room' | 'maxRows'>,
  ): Promise<{ result: CompactResult; cut: boolean }> {
    const maxBytes = Math.min(this.#deps.maxBytes, room?.bytesLeft() ?? Number.POSITIVE_INFINITY)
    // The program's own queries set no limit of rows. They may read a large catalog.
    const maxValues = maxRows === undefined ? Number.POSITIVE_INFINITY : CLICKHOUSE_LIMITS.query.maxValues
    const { body, cut } = await readAtMost(answer.stream, { maxBytes, maxValues, queryId })
    room?.took(body.length)
    if (!cut) return { result: await readCompactDocument(body, { tag: answer.exceptionTag, queryId }), cut }
    const result = await readCutDocument(body)
    // Without a single complete row, a cut result would look empty.
    if (result === undefined || result.rows.length === 0)
      throw new WarehouseError('One row of the result is larger than a result may be.', { kind: 'resource', queryId })
    return { result, cut }
  }
}

/**
 * Reads a body, up to a number of bytes and of values. If it is longer, the connection is closed.
 * @param limits.maxValues values are counted by the commas between them
 */
async function readAtMost(
  stream: Readable,
  { maxBytes, maxValues, queryId }: { readonly maxBytes: number; readonly maxValues: number; readonly queryId: string },
): Promise<{ body: Buffer; cut: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  let values = 0
  const breathe = breather()
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      values += commasIn(chunk)
      if (size > maxBytes || values > maxValues) return { body: Buffer.concat(chunks).subarray(0, maxBytes), cut: true }
      await breathe()
    }
  } catch (error) {
    throw new WarehouseError(`The result broke off before its end (${errorMessage(error)})`, {
      kind: 'unavailable',
      queryId,
      cause: error,
    })
  }
  return { body: Buffer.concat(chunks), cut: false }
}

const COMMA = ','.charCodeAt(0)

function commasIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === COMMA) count += 1
  return count
}
