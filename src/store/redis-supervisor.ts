import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { probeServer } from './redis-server-probe.ts'
import {
  claimDirectory,
  holdsDirectory,
  isDirectory,
  type RedisServerRecord,
  readServerRecord,
  releaseDirectory,
  writeServerRecord,
} from './redis-server-record.ts'

// A process of its own: `node redis-supervisor.js DIRECTORY COMMAND…`. It runs the private Redis of one folder and ends it when nobody has been
// connected for a while. It ends with status 0 also when another supervisor has the folder, 1 when the server does not start.

const SUPERVISOR_NAME = 'clew-supervisor'
const POLL_MS = 500
/** Long enough for a user that has read the record to connect, short enough that nothing is left running. */
const ALONE_MS = 2500
const START_ATTEMPTS = 3

async function supervise(directory: string, command: readonly string[]): Promise<boolean> {
  const former = await readServerRecord(directory)
  const orphan = former?.state === 'serving' ? await probeServer(former, SUPERVISOR_NAME) : undefined
  if (former !== undefined && orphan?.state === 'serving') return adopt(directory, former, orphan.connection)

  for (let attempt = 1; attempt <= START_ATTEMPTS; attempt += 1) {
    const record = newRecord({ state: 'starting', port: await freePort(), password: randomBytes(24).toString('base64url') })
    if (!(await claimDirectory(directory, record))) return true
    const server = await startServer(directory, record, command)
    const watcher = await waitUntilServing(server, record)
    if (watcher === undefined) {
      server.kill('SIGKILL')
      // Another program may have taken the port between the look and the start.
      continue
    }
    const ended = server.exitCode === null ? once(server, 'exit') : Promise.resolve()
    await writeServerRecord(directory, { ...record, state: 'serving' })
    await watch(directory, record.claim, watcher)
    await ended
    await releaseDirectory(directory, record.claim)
    return true
  }
  return false
}

/** Takes over a server whose supervisor was killed. */
async function adopt(directory: string, former: RedisServerRecord, watcher: Redis): Promise<boolean> {
  const record = newRecord({ state: 'serving', port: former.port, password: former.password })
  if (!(await claimDirectory(directory, record))) {
    watcher.disconnect()
    return true
  }
  await watch(directory, record.claim, watcher)
  await releaseDirectory(directory, record.claim)
  return true
}

/** Returns when the server has ended, having ended it if nobody was left, if another supervisor has the folder, or if the folder is gone. */
async function watch(directory: string, claim: string, watcher: Redis): Promise<void> {
  const stop = new AbortController()
  watcher.once('end', () => stop.abort())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => watcher.shutdown().catch(() => undefined))
  let aloneSince: number | undefined
  while (!stop.signal.aborted) {
    const clients = await countClients(watcher)
    aloneSince = clients > 1 ? undefined : (aloneSince ?? Date.now())
    const alone = aloneSince !== undefined && Date.now() - aloneSince >= ALONE_MS
    if (alone || !(await isDirectory(directory))) watcher.shutdown().catch(() => undefined)
    else if (!(await holdsDirectory(directory, claim))) watcher.disconnect()
    await wait(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
  }
}

async function countClients(watcher: Redis): Promise<number> {
  const info = await watcher.info('clients').catch(() => '')
  return Number(/^connected_clients:(\d+)/m.exec(info)?.[1] ?? 0)
}

function newRecord(served: Pick<RedisServerRecord, 'state' | 'port' | 'password'>): RedisServerRecord {
  return { claim: randomBytes(12).toString('hex'), supervisorPid: process.pid, claimedAt: Date.now(), ...served }
}

async function startServer(directory: string, record: RedisServerRecord, command: readonly string[]): Promise<ChildProcess> {
  const configuration = join(directory, 'redis.conf')
  const settings = [
    'bind 127.0.0.1',
    `port ${record.port}`,
    `requirepass ${record.password}`,
    'appendonly yes',
    'maxmemory-policy noeviction',
    'save ""',
    'daemonize no',
    `dir ${JSON.stringify(directory)}`,
  ]
  await writeFile(configuration, `${settings.join('\n')}\n`, { mode: 0o600 })
  const log = await open(join(directory, 'redis.log'), 'w', 0o600)
  const [program = 'redis-server', ...leading] = command
  const server = spawn(program, [...leading, configuration], { cwd: directory, stdio: ['ignore', log.fd, log.fd] })
  server.on('error', () => undefined)
  await log.close()
  return server
}

/** A connection to the server once it serves; undefined if it has ended before. Loading a large append-only file may take its time. */
async function waitUntilServing(server: ChildProcess, record: RedisServerRecord): Promise<Redis | undefined> {
  while (server.pid !== undefined && server.exitCode === null && server.signalCode === null) {
    const probed = await probeServer(record, SUPERVISOR_NAME)
    if (probed.state === 'serving') return probed.connection
    await wait(20)
  }
  return undefined
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new TypeError('a TCP listener has no port')
  return address.port
}

const [directory, ...command] = process.argv.slice(2)
if (directory === undefined || command.length === 0) process.exit(2)
process.exitCode = (await supervise(directory, command)) ? 0 : 1
