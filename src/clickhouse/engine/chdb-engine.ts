import { randomUUID } from 'node:crypto'
import type * as Chdb from 'chdb'
import { EngineFailure, FAILURE_CODES } from './engine-failure.ts'

type Session = Chdb.Session
type ChdbModule = Pick<typeof Chdb, 'Session'>

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

/** Time between two tries to end a query: one that is being planned is not in system.processes yet. */
const KILL_RETRY_MS = 25

/**
 * ClickHouse in this process. Every query runs in a session of its own that is thrown away after it (0.15 ms): chDB 3.4 puts what a
 * failed query had written at the head of its session's next result, so no session is used twice.
 */
export class ChdbEngine {
  readonly #chdb: ChdbModule
  readonly #directory: string
  /** Keeps the directory locked and open, and the engine's caches warm, between queries. */
  readonly keeper: Session

  /** @param configFile server settings, in ClickHouse's XML */
  constructor(chdb: ChdbModule, directory: string, configFile: string) {
    this.#chdb = chdb
    this.#directory = directory
    this.keeper = new chdb.Session(directory, { connectionArgs: [`--config-file=${configFile}`] })
  }

  /** @throws EngineFailure with ClickHouse's code; 394 after an abort, and then the query has ended in the engine. */
  async run(query: EngineQuery, signal: AbortSignal): Promise<EngineResult> {
    return this.#inSession(query, signal, async session => {
      const result = await session.queryAsync(query.sql, { format: query.format })
      return { bytes: result.bytes(), rowsRead: result.rowsRead, bytesRead: result.bytesRead, elapsedSeconds: result.elapsed }
    })
  }

  async #inSession<T>(query: EngineQuery, signal: AbortSignal, work: (session: Session) => Promise<T>): Promise<T> {
    if (signal.aborted) throw cancelled()
    const tag = randomUUID()
    const session = new this.#chdb.Session(this.#directory)
    try {
      await session.queryAsync(preparation(query, tag))
      if (signal.aborted) throw cancelled()
      const running = work(session)
      return await this.#endOnAbort(running, tag, signal)
    } catch (error) {
      throw asEngineFailure(error)
    } finally {
      session.close()
    }
  }

  async #endOnAbort<T>(running: Promise<T>, tag: string, signal: AbortSignal): Promise<T> {
    let settled = false
    const kill = async () => {
      while (!settled) {
        await this.#kill(tag)
        if (!settled) await new Promise(resolve => setTimeout(resolve, KILL_RETRY_MS))
      }
    }
    const onAbort = () => void kill()
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const result = await running
      if (signal.aborted) throw cancelled()
      return result
    } finally {
      settled = true
      signal.removeEventListener('abort', onAbort)
    }
  }

  async #kill(tag: string): Promise<void> {
    const session = new this.#chdb.Session(this.#directory)
    try {
      await session.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${literal(tag)} ASYNC`)
    } catch {
      // A query that has just ended cannot be found: the caller looks again only while it is still running.
    } finally {
      session.close()
    }
  }
}

/** The statements that make a new session the caller's. Only literals and checked names enter the text. */
function preparation(query: EngineQuery, tag: string): string {
  const [first = {}, ...others] = query.settings
  const statements: string[] = []
  if (query.database !== undefined) statements.push(`USE ${identifier(query.database)}`)
  for (const [name, value] of Object.entries(query.parameters))
    statements.push(`SET ${checkedName(`param_${name}`)} = ${literal(value)}`)
  // The tag by which a running query is found goes in first: once `readonly` is set, nothing can change it.
  for (const settings of [{ log_comment: tag, ...first }, ...others]) {
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

function cancelled(): EngineFailure {
  return new EngineFailure(FAILURE_CODES.cancelled, 'Query was cancelled')
}

/** chDB's errors carry the code as a property; their text starts with `Code: N. DB::Exception: `, which the HTTP face adds itself. */
function asEngineFailure(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = clickhouseCode(error)
  return new EngineFailure(code, message.replace(/^Code: \d+\. DB::Exception: /, ''), { cause: error })
}

function clickhouseCode(error: unknown): number {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('clickhouseCode' in current && typeof current.clickhouseCode === 'number') return current.clickhouseCode
  }
  return FAILURE_CODES.unknown
}
