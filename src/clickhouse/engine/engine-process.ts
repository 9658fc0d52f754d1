/**
 * The embedded engine: a process of its own that owns one data directory and serves ClickHouse's HTTP interface on loopback. Started by
 * `openEmbeddedEngine`, shared by every process that holds a lease, gone shortly after the last of them.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { accessSync, constants, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CLICKHOUSE_LIMITS, ENGINE_SERVER_SETTINGS } from '../limits.ts'
import { ChdbEngine } from './chdb-engine.ts'
import { type ChdbNative, loadChdbNative } from './chdb-native.ts'
import { ENGINE_PATHS, type EngineOptions, type EngineStart, type EngineState, engineOptionsSchema } from './engine-options.ts'
import { EngineUsers, newPasswords } from './engine-users.ts'
import { FaultInjection } from './fault-injection.ts'
import { HttpFace } from './http-face.ts'
import { LeaseDesk } from './lease-desk.ts'
import { makeFolder } from './make-folder.ts'

async function main(): Promise<void> {
  const options = engineOptionsSchema.parse(JSON.parse(process.argv[2] ?? ''))
  const opened = openEngine(options)
  if ('outcome' in opened) {
    announce(opened)
    process.exit(0)
  }
  await serve(options, opened)
  announce({ outcome: 'ready' })
}

function openEngine(options: EngineOptions): ChdbEngine | EngineStart {
  let chdb: ChdbNative
  try {
    chdb = loadChdbNative()
  } catch (error) {
    return { outcome: 'failed', message: `chDB cannot be loaded on ${process.platform}-${process.arch}: ${firstLine(error)}` }
  }
  const data = join(options.directory, ENGINE_PATHS.data)
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
    return new ChdbEngine(chdb, data, join(options.directory, ENGINE_PATHS.config))
  } catch (error) {
    // The kernel's lock on the directory, which dies with its holder, decides who serves it; chDB says no more than that it failed.
    return { outcome: 'taken', message: firstLine(error) }
  }
}

async function serve(options: EngineOptions, engine: ChdbEngine): Promise<void> {
  const passwords = newPasswords()
  const proofKey = randomUUID()
  const faults = options.testing ? new FaultInjection() : undefined
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    await face.endQueries(CLICKHOUSE_LIMITS.engine.endQueriesMs)
    if (options.temporary) rmSync(options.directory, { recursive: true, force: true })
    else rmSync(join(options.directory, ENGINE_PATHS.state), { force: true })
    // An ordinary exit runs chDB's own teardown, which crashes in a background thread and then hangs (4 of 12 engines with a loaded world did). What
    // a finished query wrote is in its files, so nothing is lost without it; a query that will not end would be waited for forever too.
    process.kill(process.pid, 'SIGKILL')
  }
  const leases = new LeaseDesk({
    firstLeaseMs: CLICKHOUSE_LIMITS.engine.firstLeaseMs,
    // A private engine has no other client to come.
    leaseGraceMs: options.temporary ? 0 : CLICKHOUSE_LIMITS.engine.leaseGraceMs,
    onUnused: () => void end(),
  })
  const face = new HttpFace({
    engine,
    users: new EngineUsers(passwords, options),
    incoming: join(options.directory, ENGINE_PATHS.incoming),
    hook: faults,
    extra: (request, response, url, user) => {
      if (url.pathname === '/engine/proof') return prove(response, url, proofKey)
      if (user?.name !== 'owner') return false
      if (url.pathname === '/engine/lease') return leases.grant(request, response)
      return faults?.answer(request, response, url) ?? false
    },
  })
  await new Promise<void>((resolve, reject) => face.server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = face.server.address() as AddressInfo
  writeState(options.directory, { instance: randomUUID(), pid: process.pid, port, proofKey, passwords })
  leases.open()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end())
}

/** Whoever knows the key in the state file can make this answer; whoever merely listens on the port cannot. */
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

await main()
