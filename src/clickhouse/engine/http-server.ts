import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { CLICKHOUSE_LIMITS } from '../limits.ts'
import { type ChdbEngine, type EngineBreakdown, type EngineQuery, literal } from './chdb-engine.ts'
import { CRASHED, EngineFailure, FAILURE_CODES, STARTED_ANEW } from './failure.ts'
import { type EngineRequest, readEngineRequest } from './http-request.ts'
import { statusOfCode } from './http-status.ts'
import { namesFile, needsParsing, parseInsert, parseKill } from './own-statements.ts'
import { QuerySlots } from './query-slots.ts'
import { readerSlots } from './reader-slots.ts'
import type { EngineUser, EngineUsers } from './users.ts'

const LIMITS = CLICKHOUSE_LIMITS.engine

/**
 * An additional route of the HTTP server. Returns true if it has answered the request. Otherwise the server treats the request as
 * a query.
 */
type ExtraRoute = (request: IncomingMessage, response: ServerResponse, url: URL, user: EngineUser | undefined) => boolean

/** Functions called between the engine and its clients. Tests use them to make the engine fail. */
export interface EngineHook {
  /** Users in addition to the reading user and the owner. */
  readonly users: readonly EngineUser[]
  /** Answers requests of the owner on an additional route. Returns true if it has answered the request. */
  answer(request: IncomingMessage, response: ServerResponse, url: URL): boolean
  /** Called before each query, and may delay it. Returns true if it has answered the request itself. */
  beforeQuery(query: EngineRequest, user: EngineUser, response: ServerResponse, signal: AbortSignal): Promise<boolean>
  /** Called before each result is sent. Returns true if it has answered the request itself. */
  beforeResult(bytes: Buffer, query: EngineRequest, response: ServerResponse): Promise<boolean>
}

interface Running {
  readonly user: EngineUser
  readonly response: ServerResponse
  /** False while the query waits in the queue. */
  isRunning: boolean
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** The part of ClickHouse's HTTP interface that @clickhouse/client and curl need, in front of the engine. */
export class EngineHttpServer {
  readonly server: Server
  readonly #engine: ChdbEngine
  readonly #users: EngineUsers
  readonly #slots = {
    readers: readerSlots(LIMITS.slow.readers, LIMITS.queue),
    writers: new QuerySlots({ size: LIMITS.writers, queue: LIMITS.queue }),
  }
  readonly #turns = new QuerySlots({ size: 1 })
  readonly #running = new Map<string, Running>()
  readonly #extra: ExtraRoute
  /** The folder in which the rows of INSERT statements wait until the engine has read them. */
  readonly #incoming: string
  readonly #hook: EngineHook | undefined
  #isBroken = false

  constructor(deps: {
    engine: ChdbEngine
    users: EngineUsers
    incoming: string
    extra: ExtraRoute
    hook: EngineHook | undefined
  }) {
    this.#incoming = deps.incoming
    this.#engine = deps.engine
    this.#users = deps.users
    this.#extra = deps.extra
    this.#hook = deps.hook
    this.server = createServer(
      { maxHeaderSize: LIMITS.maxHeaderBytes, keepAliveTimeout: LIMITS.keepAliveMs, requestTimeout: 0, noDelay: true },
      (request, response) => {
        this.#answer(request, response).catch(error => this.#fail(response, error))
      },
    )
  }

  /**
   * Kills every query, and waits until they have stopped. Waits only for a limited time, because a query cannot be stopped while
   * it is being planned.
   */
  async endQueries(milliseconds: number): Promise<void> {
    const running = [...this.#running.values()]
    for (const { abort } of running) abort.abort()
    await Promise.race([Promise.all(running.map(({ done }) => done)), delay(milliseconds)])
  }

  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /**
   * Sends the last answers of a broken engine. Running queries get one more second to finish. If exactly one query still runs
   * after a crash, it is the cause, and its client gets an error that says so. If several still run, their clients lose the
   * connection when the process stops, and repeat their queries in turns. Clients of waiting queries are told to send them again.
   */
  async giveUp(breakdown: EngineBreakdown): Promise<void> {
    this.#isBroken = true
    const running = () => [...this.#running.values()].filter(({ isRunning }) => isRunning)
    const deadline = performance.now() + LIMITS.endQueriesMs
    while (running().length > (breakdown === 'crashed' ? 1 : 0) && performance.now() < deadline)
      await delay(CLICKHOUSE_LIMITS.engine.brokenPollMs)
    const [cause, ...others] = running()
    if (breakdown === 'crashed' && others.length === 0 && cause !== undefined)
      this.#fail(cause.response, new EngineFailure(FAILURE_CODES.logicalError, CRASHED))
    await delay(CLICKHOUSE_LIMITS.engine.lastAnswersMs)
  }

  /**
   * Tells one client after another that it may repeat a query that was lost with an earlier engine. So a query that ends this
   * engine too does so in its own turn. A turn lapses after `turnMs`, so that a long query does not hold up the others. A broken
   * engine neither gives turns nor lets one lapse.
   */
  giveTurn(response: ServerResponse): true {
    const left = new AbortController()
    response.once('close', () => left.abort())
    const inTurn = async () => {
      if (this.#isBroken) return
      response.writeHead(200).write('held\n')
      await delay(LIMITS.turnMs, undefined, { signal: left.signal })
      if (!this.#isBroken) response.end()
    }
    this.#turns.run(left.signal, inTurn).catch(() => {})
    return true
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://engine')
    response.setHeader('X-ClickHouse-Server-Display-Name', 'embedded')
    if (url.pathname === '/ping') {
      response.end('Ok.\n')
      return
    }
    const user = this.#users.authenticate(request, url.searchParams)
    if (this.#extra(request, response, url, user)) return
    if (user === undefined) {
      throw new EngineFailure(
        FAILURE_CODES.authenticationFailed,
        'Authentication failed: password is incorrect, or there is no user with such name.',
      )
    }
    const query = readEngineRequest(request, url, await readBody(request))
    const queryId = query.queryId ?? randomUUID()
    response.setHeader('X-ClickHouse-Query-Id', queryId)
    const abort = new AbortController()
    // A client that has disconnected needs no answer, so its query is stopped. A server does the same with
    // cancel_http_readonly_queries_on_client_close.
    response.once('close', () => abort.abort())
    const kill = parseKill(query)
    if (kill !== undefined) {
      await this.#kill(kill, user)
      this.#send(response, query, Buffer.alloc(0), {})
      return
    }
    if (this.#running.has(queryId)) {
      throw new EngineFailure(FAILURE_CODES.queryIdTaken, `Query with id = ${queryId} is already running.`)
    }
    const inSlot = async () => {
      if (this.#isBroken) throw new EngineFailure(FAILURE_CODES.tooManySimultaneousQueries, STARTED_ANEW)
      running.isRunning = true
      const overdue = endOverdue(abort, user)
      try {
        await this.#run(request, response, query, user, abort.signal)
      } catch (error) {
        throw this.#told(error)
      } finally {
        clearTimeout(overdue)
      }
    }
    const work = this.#slots[user.pool].run(abort.signal, inSlot, query.person)
    const done = work.then(
      () => {},
      () => {},
    )
    const running: Running = { user, response, abort, done, isRunning: false }
    this.#running.set(queryId, running)
    try {
      await work
    } finally {
      this.#running.delete(queryId)
    }
  }

  async #run(
    request: IncomingMessage,
    response: ServerResponse,
    query: EngineRequest,
    user: EngineUser,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#hook && (await this.#hook.beforeQuery(query, user, response, signal))) return
    const engineQuery: EngineQuery = {
      sql: query.sql,
      format: query.format,
      database: query.database,
      parameters: query.parameters,
      // A GET request is read-only, even for the owner, as on a ClickHouse server.
      settings: [
        user.settings,
        query.settings,
        request.method === 'GET' && user.settings.readonly !== '1' ? { readonly: '2' } : {},
      ],
    }
    const insert = parseInsert(query)
    if (insert !== undefined) {
      await this.#insert(engineQuery, insert, signal, response, query)
      return
    }
    await this.#refuseForeign(query.sql, user, signal)
    const result = await this.#engine.run(engineQuery, signal)
    const bytes = Buffer.from(result.bytes.buffer, result.bytes.byteOffset, result.bytes.byteLength)
    if (this.#hook && (await this.#hook.beforeResult(bytes, query, response))) return
    this.#send(response, query, bytes, {
      read_rows: result.rowsRead,
      read_bytes: result.bytesRead,
      elapsed_ns: Math.round(result.elapsedSeconds * 1e9),
    })
  }

  /**
   * Chooses the error when the process has run out of memory. If only one query ran, it took the memory, and the error says that
   * it is too large. If several ran, any of them may be the cause, and even small queries fail. The error then says that the
   * engine is full, so that clients repeat their queries.
   */
  #told(error: unknown): unknown {
    if (!(error instanceof EngineFailure) || error.clickhouseCode !== FAILURE_CODES.cannotAllocate) return error
    const isAlone = [...this.#running.values()].filter(({ isRunning }) => isRunning).length === 1
    const whose = isAlone ? 'Query' : '(total)'
    return new EngineFailure(FAILURE_CODES.memoryLimit, `${whose} memory limit exceeded: the engine has no more`, {
      cause: error,
    })
  }

  async #insert(
    engineQuery: EngineQuery,
    insert: { readonly rows: Buffer; statement(file: string): string },
    signal: AbortSignal,
    response: ServerResponse,
    query: EngineRequest,
  ): Promise<void> {
    const file = join(this.#incoming, randomUUID())
    try {
      await writeFile(file, insert.rows, { mode: 0o600 })
      const { rowsRead, bytesRead } = await this.#engine.run({ ...engineQuery, sql: insert.statement(file) }, signal)
      this.#send(response, query, Buffer.alloc(0), { written_rows: rowsRead, written_bytes: bytesRead })
    } finally {
      await rm(file, { force: true })
    }
  }

  /**
   * Refuses SQL that chDB would run, although a server would not: several statements at once, and statements that use files.
   * ClickHouse's own parser decides, within the user's limits.
   */
  async #refuseForeign(sql: string, user: EngineUser, signal: AbortSignal): Promise<void> {
    if (!needsParsing(sql)) return
    const running = this.#engine.run(
      {
        // As a parameter, the text would have to fit into the engine's own limit, before that of the user holds.
        sql: `SELECT formatQuerySingleLine(${literal(sql)})`,
        format: 'TSVRaw',
        database: undefined,
        parameters: {},
        settings: [user.settings],
      },
      signal,
    )
    const { bytes } = await running.catch((error: unknown) => {
      // Removes the end of the parser's message, which quotes the `formatQuery` statement around the user's SQL.
      if (error instanceof EngineFailure)
        throw new EngineFailure(error.clickhouseCode, error.message.replace(/: In scope SELECT formatQuery[\s\S]*$/, ''))
      throw error
    })
    if (namesFile(Buffer.from(bytes).toString()))
      throw new EngineFailure(FAILURE_CODES.outfile, 'INTO OUTFILE and FROM INFILE are not allowed')
  }

  /** Kills a query and waits until it has stopped. The owner is allowed to kill any query, other users only their own. */
  async #kill(queryId: string, user: EngineUser): Promise<void> {
    const running = this.#running.get(queryId)
    if (running === undefined || (user.pool !== 'writers' && running.user.name !== user.name)) return
    running.abort.abort()
    await running.done
  }

  #send(response: ServerResponse, query: EngineRequest, bytes: Buffer, summary: Readonly<Record<string, number>>): void {
    if (response.destroyed) return
    const text = Object.fromEntries(Object.entries(summary).map(([name, value]) => [name, String(value)]))
    response.setHeader(
      'X-ClickHouse-Summary',
      JSON.stringify({ read_rows: '0', read_bytes: '0', written_rows: '0', written_bytes: '0', ...text }),
    )
    response.setHeader('X-ClickHouse-Format', query.format)
    response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
    const body = query.compress && bytes.length > 0 ? gzipSync(bytes) : bytes
    if (body !== bytes) response.setHeader('Content-Encoding', 'gzip')
    response.setHeader('Content-Length', body.length)
    response.end(body)
  }

  #fail(response: ServerResponse, error: unknown): void {
    const failure = error instanceof EngineFailure ? error : new EngineFailure(FAILURE_CODES.unknown, String(error))
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    response.statusCode = statusOfCode(failure.clickhouseCode)
    response.setHeader('X-ClickHouse-Exception-Code', failure.clickhouseCode)
    response.setHeader('Content-Type', 'text/plain; charset=UTF-8')
    response.end(`Code: ${failure.clickhouseCode}. DB::Exception: ${failure.message}\n`)
  }
}

/**
 * Stops a query that has exceeded its time limit. The engine itself checks the limit only between blocks, so a query that still
 * runs is stuck in one function call.
 */
function endOverdue(abort: AbortController, { settings }: EngineUser): NodeJS.Timeout | undefined {
  const seconds = Number(settings.max_execution_time)
  if (!(seconds > 0)) return undefined
  const failure = new EngineFailure(FAILURE_CODES.timeout, `Timeout exceeded: maximum: ${seconds} seconds`)
  return setTimeout(() => abort.abort(failure), seconds * 1000 + LIMITS.endQueriesMs)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LIMITS.maxRequestBytes)
      throw new EngineFailure(FAILURE_CODES.tooLarge, `Request is larger than ${LIMITS.maxRequestBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
