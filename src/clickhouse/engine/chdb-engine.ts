import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import type { ChdbConnection, ChdbNative } from './chdb-native.ts'
import { EngineFailure, FAILURE_CODES, STARTED_ANEW } from './failure.ts'

export interface EngineQuery {
  readonly sql: string
  readonly format: string
  readonly database: string | undefined
  /**
   * Groups of settings. Each group becomes one SET statement. If a group sets `readonly`, the groups after it cannot change that.
   */
  readonly settings: readonly Readonly<Record<string, string>>[]
  /** The values of the query's parameters, as texts in the form that ClickHouse's HTTP interface uses. */
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
  /** A query was killed, but still runs seconds later (`outlivesEndMs`). */
  | 'outlived'

/**
 * ClickHouse inside this process. Each query has its own session, which takes 0.15 ms to open. No session is used twice: after a
 * failed query, chDB 3.4 writes that query's output before the next result of the session.
 */
export class ChdbEngine {
  readonly #chdb: ChdbNative
  readonly #directory: string
  readonly #onBroken: (breakdown: EngineBreakdown, sql: string) => void
  /** A session that stays open as long as the engine lives. It keeps the data directory locked and the caches warm. */
  readonly keeper: ChdbConnection
  #isBroken = false

  /**
   * @param options.configFile server settings in ClickHouse's XML
   * @param options.onBroken called once when the engine turns out to be broken, with the query that showed it
   * @throws Error if another process uses the directory
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
   * Runs a query. After an abort, the call returns only when the query has stopped in the engine, or the engine is broken.
   * @throws EngineFailure with ClickHouse's code; after an abort, the code is 394, or that of the EngineFailure in the signal's
   * reason
   */
  async run(query: EngineQuery, signal: AbortSignal): Promise<EngineResult> {
    throwIfCancelled(signal)
    const tag = randomUUID()
    return this.#inSession(async session => {
      // Each native call takes one of libuv's few threads, so all statements go in one call. chDB runs them one after another and
      // stops at the first failure.
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
      // Closing a session during its query crashes the process. In a broken engine, the query may still run, so the session stays
      // open.
      if (!this.#isBroken) this.#chdb.CloseConnection(session)
    }
  }

  #break(breakdown: EngineBreakdown, sql: string): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#onBroken(breakdown, sql)
  }

  /**
   * Waits until the query has stopped, because its session must stay open until then. Stops waiting earlier only if the query
   * cannot be stopped; the engine is then broken.
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
    // The kill fails if the query has just stopped by itself, so a failure is ignored. The caller repeats the kill as long as the
    // query runs.
    await this.#inSession(session => this.#chdb.QueryAsyncConnection(session, sql, 'Null')).catch(() => {})
  }
}

/** Makes the engine format results in one thread. Large results are rare, so several threads would cost more than they save. */
const WRITTEN_BY_ONE_THREAD = { output_format_parallel_formatting: '0' } as const

/**
 * Returns the SQL that prepares a new session for a query. Its values are literals and its names are checked, so nothing can be
 * injected.
 */
function preparation(query: EngineQuery, tag: string): string {
  const [first = {}, ...others] = query.settings
  const statements: string[] = []
  if (query.database !== undefined) statements.push(`USE ${identifier(query.database)}`)
  for (const [name, value] of Object.entries(query.parameters))
    statements.push(`SET ${checkedName(`param_${name}`)} = ${literal(value)}`)
  // The setting `log_comment` tags the query, so that it can be killed. It must come before `readonly`, which forbids later
  // changes.
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

/** Writes a text as a literal for SQL. */
export function literal(value: string): string {
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
 * Whether an error says that a thread of the engine has crashed. Every new query then fails with this error
 * (src/Interpreters/executeQuery.cpp).
 */
function saysItCrashed(error: unknown): boolean {
  return error instanceof Error && error.message.includes('The server is shutting down due to a fatal error')
}

/**
 * Turns an error of chDB into an EngineFailure. Removes the beginning `Code: N. DB::Exception: `, because the HTTP interface adds
 * it again.
 */
function asEngineFailure(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error
  // The engine crashed before this query began. This code makes the client send the query again, to the next engine.
  if (saysItCrashed(error)) return new EngineFailure(FAILURE_CODES.tooManySimultaneousQueries, STARTED_ANEW)
  const text = error instanceof Error ? error.message : String(error)
  const head = /^Code: (\d+)\. DB::[\w:]*Exception: /.exec(text)
  // C++ strings and vectors fail with this text when the process reaches its memory limit (`processMemoryBytes`). ClickHouse's
  // own limits do not cover their memory.
  const code = text.includes('std::bad_alloc') ? FAILURE_CODES.cannotAllocate : Number(head?.[1] ?? FAILURE_CODES.unknown)
  return new EngineFailure(code, text.slice(head?.[0].length ?? 0), { cause: error })
}
