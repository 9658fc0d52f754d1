import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import type { ChdbConnection, ChdbNative } from './chdb-native.ts'
import { EngineFailure, FAILURE_CODES, STARTED_ANEW } from './failure.ts'

export interface EngineQuery {
  readonly sql: string
  readonly format: string
  readonly database: string | undefined
  /** Groups of settings. Each group becomes one SET statement, in order. If a group sets `readonly`, later groups cannot change that. */
  readonly settings: readonly Readonly<Record<string, string>>[]
  /** The query's bound parameters, as texts in the format of ClickHouse's HTTP interface. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface EngineResult {
  readonly bytes: Uint8Array
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedSeconds: number
}

/** The reason why the engine is unusable. */
export type EngineBreakdown =
  /** A thread of the engine has crashed. The process stays alive (chDB 3.4), but the engine refuses every new query. */
  | 'crashed'
  /** A query was killed, but is still running long after. */
  | 'outlived'

/**
 * ClickHouse inside this process. Each query has its own session. Opening one takes 0.15 ms. No session is used twice: after a failed query, chDB 3.4
 * puts the failed query's output before the session's next result.
 */
export class ChdbEngine {
  readonly #chdb: ChdbNative
  readonly #directory: string
  readonly #onBroken: (breakdown: EngineBreakdown, sql: string) => void
  /** A session that stays open while the engine lives. It keeps the data directory locked and the caches warm. */
  readonly keeper: ChdbConnection
  #isBroken = false

  /**
   * @param options.configFile server settings in ClickHouse's XML
   * @param options.onBroken called once, with the query that showed that the engine is broken
   * @throws Error if another process holds the directory
   */
  constructor(
    chdb: ChdbNative,
    options: {
      readonly directory: string
      readonly configFile: string
      readonly onBroken: (breakdown: EngineBreakdown, sql: string) => void
    },
  ) {
    this.#chdb = chdb
    this.#directory = options.directory
    this.#onBroken = options.onBroken
    this.keeper = chdb.CreateConnection(options.directory, [`--config-file=${options.configFile}`])
  }

  /**
   * Runs a query. After an abort, the call ends only when the query has ended in the engine, or the engine is broken.
   * @throws EngineFailure with ClickHouse's code; after an abort the code is 394, or the code of the EngineFailure in the
   * signal's reason
   */
  async run(query: EngineQuery, signal: AbortSignal): Promise<EngineResult> {
    throwIfCancelled(signal)
    const tag = randomUUID()
    return this.#inSession(async session => {
      // Each native call needs one of libuv's few threads, so all statements go in one call. chDB runs them in order and stops at the first
      // failure.
      const running = this.#chdb.QueryAsyncConnection(session, `${preparation(query, tag)}; ${query.sql}`, query.format)
      const result = await this.#endOnAbort(running, tag, query.sql, signal)
      return { bytes: result.bytes, rowsRead: result.rowsRead, bytesRead: result.bytesRead, elapsedSeconds: result.elapsed }
    })
  }

  async #inSession<T>(work: (session: ChdbConnection) => Promise<T>): Promise<T> {
    const session = this.#chdb.CreateConnection(this.#directory)
    try {
      return await work(session)
    } catch (error) {
      throw asEngineFailure(error)
    } finally {
      // A session must not be closed while its query runs. If the engine is broken, the query may still be running, so the session stays open.
      if (!this.#isBroken) this.#chdb.CloseConnection(session)
    }
  }

  #break(breakdown: EngineBreakdown, sql: string): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#onBroken(breakdown, sql)
  }

  /**
   * Waits until the query ends, because the session must stay open until then. The wait ends early only if the query cannot be ended. In that
   * case the engine is broken.
   */
  async #endOnAbort<T>(running: Promise<T>, tag: string, sql: string, signal: AbortSignal): Promise<T> {
    let settled = false
    let outlives: NodeJS.Timeout | undefined
    let onAbort = () => {}
    const outlived = new Promise<never>((_, reject) => {
      onAbort = () => {
        outlives = setTimeout(() => {
          this.#break('outlived', sql)
          reject(failureOfAbort(signal))
        }, CLICKHOUSE_LIMITS.engine.outlivesEndMs)
        void kill()
      }
    })
    const kill = async () => {
      while (!settled) {
        await this.#kill(tag)
        await delay(CLICKHOUSE_LIMITS.engine.killRetryMs)
      }
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const result = await Promise.race([running, outlived])
      throwIfCancelled(signal)
      return result
    } catch (error) {
      if (saysItCrashed(error)) this.#break('crashed', sql)
      throw signal.aborted ? failureOfAbort(signal) : error
    } finally {
      settled = true
      clearTimeout(outlives)
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #kill(tag: string): Promise<void> {
    const sql = `KILL QUERY WHERE Settings['log_comment'] = ${literal(tag)} ASYNC`
    // If the query has just ended, the kill finds nothing and fails. The failure is ignored. The caller repeats the kill while the query runs.
    await this.#inSession(session => this.#chdb.QueryAsyncConnection(session, sql, 'Null')).catch(() => {})
  }
}

/** Results are formatted by a single thread. Large results are rare, so several threads would cost more than they save. */
const WRITTEN_BY_ONE_THREAD = { output_format_parallel_formatting: '0' } as const

/** Returns the SQL that prepares a new session for a query. The SQL contains only literals and checked names. */
function preparation(query: EngineQuery, tag: string): string {
  const [first = {}, ...others] = query.settings
  const statements: string[] = []
  if (query.database !== undefined) statements.push(`USE ${identifier(query.database)}`)
  for (const [name, value] of Object.entries(query.parameters))
    statements.push(`SET ${checkedName(`param_${name}`)} = ${literal(value)}`)
  // The tag (`log_comment`) identifies the running query. It is set first, because the setting `readonly` forbids later changes.
  for (const settings of [{ log_comment: tag, ...WRITTEN_BY_ONE_THREAD, ...first }, ...others]) {
    const assignments = Object.entries(settings).map(([name, value]) => `${checkedName(name)} = ${literal(value)}`)
    if (assignments.length > 0) statements.push(`SET ${assignments.join(', ')}`)
  }
  return statements.join('; ')
}

function checkedName(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) throw new EngineFailure(FAILURE_CODES.unknownSetting, `Unknown setting '${name}'`)
  return name
}

function literal(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function identifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw failureOfAbort(signal)
}

function failureOfAbort({ reason }: AbortSignal): EngineFailure {
  return reason instanceof EngineFailure ? reason : new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
}

/**
 * Whether an error says that a thread of the engine has crashed. After a crash, every new query fails with this error
 * (src/Interpreters/executeQuery.cpp).
 */
function saysItCrashed(error: unknown): boolean {
  return error instanceof Error && error.message.includes('The server is shutting down due to a fatal error')
}

/**
 * Turns an error of chDB into an EngineFailure. The text of chDB begins with `Code: N. DB::Exception: `. This beginning is removed, because the
 * HTTP interface adds it again.
 */
function asEngineFailure(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error
  // The crash came before this query began. With this error code, the client sends the query again, to the next engine.
  if (saysItCrashed(error)) return new EngineFailure(FAILURE_CODES.tooManySimultaneousQueries, STARTED_ANEW)
  const text = error instanceof Error ? error.message : String(error)
  const head = /^Code: (\d+)\. DB::[\w:]*Exception: /.exec(text)
  // C++ strings and vectors fail with this text when the process reaches its memory limit (`processMemoryBytes`). ClickHouse
  // counts their memory but does not limit it.
  const code = text.includes('std::bad_alloc') ? FAILURE_CODES.cannotAllocate : Number(head?.[1] ?? FAILURE_CODES.unknown)
  return new EngineFailure(code, text.slice(head?.[0].length ?? 0), { cause: error })
}
