import { createHmac, randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CLICKHOUSE_LIMITS, ENGINE_SERVER_SETTINGS } from '../limits.ts'
import { ChdbEngine, type EngineBreakdown, type EngineQuery } from './chdb-engine.ts'
import { type ChdbNative, loadChdbNative } from './chdb-native.ts'
import { type EngineHook, EngineHttpServer } from './http-server.ts'
import { makeFolder } from './make-folder.ts'
import { ENGINE_PATHS, type EngineOptions, type EngineStart, type EngineState, engineOptionsSchema } from './options.ts'
import { EngineUsers, newPasswords } from './users.ts'
import { watchEngine } from './watch-engine.ts'

const WHY = {
  crashed: 'a query crashed it; seen with this one',
  outlived: 'this query runs on after it was ended',
} as const satisfies Record<EngineBreakdown, string>
const HEARTBEAT: EngineQuery = { sql: 'SELECT 1', format: 'Null', database: undefined, settings: [], parameters: {} }

/** A folder that chDB itself creates for its first table or database. If it exists, chDB has used the directory. */
const CHDB_METADATA = 'metadata'

/**
 * Serves the embedded engine. `openEmbeddedEngine` starts this process, which owns one data directory and offers ClickHouse's
 * HTTP interface on loopback. All processes with a lease share it. It stops shortly after the last lease is released.
 */
export async function serveEngine(hook?: EngineHook): Promise<void> {
  const options = engineOptionsSchema.parse(JSON.parse(process.argv[2] ?? ''))
  let giveUp = async (_: EngineBreakdown): Promise<void> => {}
  const opened = openEngine(options, (breakdown, sql) => {
    process.stderr.write(
      `${new Date().toISOString()} the engine ends, since ${WHY[breakdown]}: ${sql.slice(0, CLICKHOUSE_LIMITS.engine.loggedSqlCharacters)}\n`,
    )
    // Only the process stops; the data and the state file stay. A client's next call then starts another engine on the same data.
    void giveUp(breakdown).finally(() => process.kill(process.pid, 'SIGKILL'))
  })
  if ('outcome' in opened) {
    announce(opened)
    process.exit(0)
  }
  const httpServer = await serve(options, opened, hook)
  giveUp = breakdown => httpServer.giveUp(breakdown)
  announce({ outcome: 'ready' })
}

function openEngine(
  options: EngineOptions,
  onBroken: (breakdown: EngineBreakdown, sql: string) => void,
): ChdbEngine | EngineStart {
  let chdb: ChdbNative
  try {
    chdb = loadChdbNative()
  } catch (error) {
    return { outcome: 'failed', message: `chDB cannot be loaded on ${process.platform}-${process.arch}: ${firstLine(error)}` }
  }
  const data = dataFolder(options.directory)
  try {
    for (const folder of [data, join(options.directory, ENGINE_PATHS.incoming)]) {
      makeFolder(folder)
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    }
    writeFileSync(join(options.directory, ENGINE_PATHS.config), serverConfiguration())
  } catch (error) {
    return { outcome: 'failed', message: firstLine(error) }
  }
  try {
    return new ChdbEngine(chdb, { directory: data, configFile: join(options.directory, ENGINE_PATHS.config), onBroken })
  } catch (error) {
    // chDB says only that it could not open the directory. The likely cause is that another engine uses it: a running engine
    // holds a kernel lock on its directory until it dies.
    return { outcome: 'taken', message: firstLine(error) }
  }
}

/**
 * Returns the folder with ClickHouse's tables: a subfolder if Clew made the directory, the directory itself if chDB alone did.
 */
function dataFolder(directory: string): string {
  return existsSync(join(directory, CHDB_METADATA)) ? directory : join(directory, ENGINE_PATHS.data)
}

async function serve(options: EngineOptions, engine: ChdbEngine, hook: EngineHook | undefined): Promise<EngineHttpServer> {
  const passwords = newPasswords()
  const proofKey = randomUUID()
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    await httpServer.endQueries(CLICKHOUSE_LIMITS.engine.endQueriesMs)
    if (options.temporary) rmSync(options.directory, { recursive: true, force: true })
    else rmSync(join(options.directory, ENGINE_PATHS.state), { force: true })
    // The process kills itself, because an ordinary exit would run chDB's teardown. That crashes in a background thread and then
    // hangs (4 of 12 engines with demo data), and with an endless query it would wait forever. Nothing is lost, because finished
    // queries have already written their files.
    process.kill(process.pid, 'SIGKILL')
  }
  const leases = new LeaseDesk({
    firstLeaseMs: CLICKHOUSE_LIMITS.engine.firstLeaseMs,
    // A private engine has only one client, so it stops as soon as that client releases its lease.
    leaseGraceMs: options.temporary ? 0 : CLICKHOUSE_LIMITS.engine.leaseGraceMs,
    onUnused: () => void end(),
  })
  const httpServer = new EngineHttpServer({
    engine,
    users: new EngineUsers(passwords, options.readerSeconds, hook?.users ?? []),
    incoming: join(options.directory, ENGINE_PATHS.incoming),
    hook,
    extra: (request, response, url, user) => {
      if (url.pathname === '/engine/proof') return prove(response, url, proofKey)
      if (user?.name !== 'owner') return false
      if (url.pathname === '/engine/lease') return leases.grant(request, response)
      if (url.pathname === '/engine/turn') return httpServer.giveTurn(response)
      return hook?.answer(request, response, url) ?? false
    },
  })
  await new Promise<void>((resolve, reject) => httpServer.server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = httpServer.server.address() as AddressInfo
  writeState(options.directory, { instance: randomUUID(), pid: process.pid, port, proofKey, passwords })
  leases.open()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
  watchEngine(async () => {
    if (httpServer.isBusy) await engine.run(HEARTBEAT, new AbortController().signal)
  })
  return httpServer
}

/**
 * Answers with a proof that this program is the engine. Only a program that knows the key in the state file can compute the
 * proof.
 */
function prove(response: ServerResponse, url: URL, proofKey: string): boolean {
  response.end(
    createHmac('sha256', proofKey)
      .update(url.searchParams.get('nonce') ?? '')
      .digest('hex'),
  )
  return true
}

function writeState(directory: string, state: EngineState): void {
  const path = join(directory, ENGINE_PATHS.state)
  const draft = `${path}.${state.pid}`
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 })
  renameSync(draft, path)
}

function serverConfiguration(): string {
  const settings = Object.entries(ENGINE_SERVER_SETTINGS).map(([name, value]) => `  <${name}>${value}</${name}>`)
  return `<clickhouse>\n${settings.join('\n')}\n</clickhouse>\n`
}

function announce(start: EngineStart): void {
  process.stdout.on('error', () => {})
  process.stdout.write(`${JSON.stringify(start)}\n`)
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/**
 * Counts the clients that need the engine. A lease is an HTTP response that stays open until its client closes it or dies.
 * `onUnused` runs `leaseGraceMs` after the last lease, or if nobody takes a lease within `firstLeaseMs` of the start.
 */
class LeaseDesk {
  readonly #options: { readonly leaseGraceMs: number; readonly firstLeaseMs: number; readonly onUnused: () => void }
  #held = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: { readonly leaseGraceMs: number; readonly firstLeaseMs: number; readonly onUnused: () => void }) {
    this.#options = options
  }

  open(): void {
    this.#endAfter(this.#options.firstLeaseMs)
  }

  /** Grants a lease: sends headers and one line, and keeps the response open. Returns true, because the request is answered. */
  grant(_request: IncomingMessage, response: ServerResponse): true {
    clearTimeout(this.#timer)
    this.#held += 1
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' })
    response.write('held\n')
    response.once('close', () => {
      this.#held -= 1
      if (this.#held === 0) this.#endAfter(this.#options.leaseGraceMs)
    })
    return true
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#options.onUnused, milliseconds)
  }
}
