import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import type { ChdbConnection, ChdbNative } from './chdb-native.ts'
import { EngineFailure, FAILURE_CODES, STARTED_ANEW } from './engine-failure.ts'

export interface EngineQuery {
  readonly sql: string
  readonly format: string
  readonly database: string | undefined
  /** Applied in this order, each list in one SET: what comes later cannot undo a `readonly` of an earlier one. */
  readonly settings: readonly Readonly<Record<string, string>>[]
  /** Bound parameters in the HTTP interface's text form. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface EngineResult {
  readonly bytes: Uint8Array
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedSeconds: number
}

/** Why the engine is of no more use to anyone. */
export type EngineBreakdown =
  /** A thread of it crashed: chDB 3.4 then lives on, and refuses every new query. */
  | 'crashed'
  /** A query runs on long after it was ended. */
  | 'outlived'

/** Time between two tries to end a query: one that is being planned is not in system.processes yet. */
const KILL_RETRY_MS = 25

/**
 * ClickHouse in this process. Every query runs in a session of its own that is thrown away after it (0.15 ms): chDB 3.4 puts what a
 * failed query had written at the head of its session's next result, so no session is used twice.
 */
export class ChdbEngine {
  readonly #chdb: ChdbNative
  readonly #directory: string
  readonly #onBroken: (breakdown: EngineBreakdown, sql: string) => void
  /** Keeps the directory locked and open, and the engine's caches warm, between queries. */
  readonly keeper: ChdbConnection
  #isBroken = false

  /**
   * @param options.configFile server settings, in ClickHouse's XML
   * @param options.onBroken called once, with the query that showed it
   * @throws Error when another process holds the directory
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
   * @throws EngineFailure with ClickHouse's code. After an abort 394, or the abort's own failure; then the query has ended in the engine, or
   * the engine is broken.
   */
  async run(query: EngineQuery, signal: AbortSignal): Promise<EngineResult> {
    throwIfCancelled(signal)
    const tag = randomUUID()
    return this.#inSession(async session => {
      // In one call, which saves a way through libuv's threads: chDB parses and runs one statement after the other, and stops at the first that fails.
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
      // Under a query that runs it must not be closed, and of a broken engine nobody knows what runs.
      if (!this.#isBroken) this.#chdb.CloseConnection(session)
    }
  }

  #break(breakdown: EngineBreakdown, sql: string): void {
    if (this.#isBroken) return
    this.#isBroken = true
    this.#onBroken(breakdown, sql)
  }

  /** Settles when the query has: its session must not be closed under it. Sooner only where that breaks the engine. */
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
        await delay(KILL_RETRY_MS)
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
    // One that has just ended cannot be found: the caller asks again only while it is still running.
    await this.#inSession(session => this.#chdb.QueryAsyncConnection(session, sql, 'Null')).catch(() => {})
  }
}

/** Threads that would be started to write a result: few results are so large that they are worth it. */
const WRITTEN_BY_ONE_THREAD = { output_format_parallel_formatting: '0' } as const

/** The statements that make a new session the caller's. Only literals and checked names enter the text. */
function preparation(query: EngineQuery, tag: string): string {
  const [first = {}, ...others] = query.settings
  const statements: string[] = []
  if (query.database !== undefined) statements.push(`USE ${identifier(query.database)}`)
  for (const [name, value] of Object.entries(query.parameters))
    statements.push(`SET ${checkedName(`param_${name}`)} = ${literal(value)}`)
  // The tag by which a running query is found goes in first: once `readonly` is set, nothing can change it.
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

/** Every new query gets this answer once a thread has crashed (src/Interpreters/executeQuery.cpp). */
function saysItCrashed(error: unknown): boolean {
  return error instanceof Error && error.message.includes('The server is shutting down due to a fatal error')
}

/** chDB's errors are ClickHouse's texts: `Code: N. DB::Exception: …`. The HTTP face writes that head itself. */
function asEngineFailure(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error
  // It has not been begun: whoever sent it sends it again, to the next engine.
  if (saysItCrashed(error)) return new EngineFailure(FAILURE_CODES.tooManySimultaneousQueries, STARTED_ANEW)
  const text = error instanceof Error ? error.message : String(error)
  const head = /^Code: (\d+)\. DB::[\w:]*Exception: /.exec(text)
  // Texts and lists of C++ end so, which ClickHouse counts and does not refuse: the wall of the whole process did (`processMemoryBytes`).
  const code = text.includes('std::bad_alloc') ? FAILURE_CODES.cannotAllocate : Number(head?.[1] ?? FAILURE_CODES.unknown)
  return new EngineFailure(code, text.slice(head?.[0].length ?? 0), { cause: error })
}
