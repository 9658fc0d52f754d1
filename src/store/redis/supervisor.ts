import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { STORE_LIMITS } from '../limits.ts'
import { probeServer, REDIS_SOCKET } from './server-probe.ts'
import { claimDirectory, type RedisServerRecord, readServerRecord, releaseDirectory, writeServerRecord } from './server-record.ts'

// The program of a separate process: `node redis-supervisor.js DIRECTORY COMMAND…`. It runs the private Redis of a folder, and
// stops it after some time without connections. The exit code is 1 if the server does not start. Otherwise it is 0, even if
// another supervisor already serves the folder.

const SUPERVISOR_NAME = 'clew-supervisor'

async function supervise(directory: string, command: readonly string[]): Promise<boolean> {
  const former = await readServerRecord(directory)
  if (former?.state === 'serving' && (await isServing(directory, former))) {
    // The earlier supervisor was killed, but its server still runs. This supervisor takes the server over.
    const record = newRecord({ state: 'serving', port: former.port, password: former.password })
    if (await claimDirectory(directory, record)) await watch(directory, record)
    return true
  }
  for (let attempt = 1; attempt <= STORE_LIMITS.embedded.startAttempts; attempt += 1) {
    const record = newRecord({ state: 'starting', port: await freePort(), password: randomBytes(24).toString('base64url') })
    if (!(await claimDirectory(directory, record))) return true
    const server = await startServer(directory, record, command)
    if (await comesUp(server, directory, record)) {
      const ended = server.exitCode === null ? once(server, 'exit') : undefined
      try {
        await writeServerRecord(directory, { ...record, state: 'serving' })
        await watch(directory, record)
      } catch (error) {
        server.kill()
        throw error
      }
      await ended
      return true
    }
    // The server did not start, perhaps because another program has taken its port. The next attempt uses another port.
  }
  return false
}

/**
 * Watches the server. Stops the server when nobody uses it, or when the folder is gone. Returns when the server has stopped, or
 * when another supervisor has taken over.
 */
async function watch(directory: string, record: RedisServerRecord): Promise<void> {
  let connection: Redis | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => connection?.shutdown().catch(() => undefined))
  let lost = new AbortController()
  let aloneSince: number | undefined
  for (;;) {
    if (connection === undefined || lost.signal.aborted) {
      const probed = await probeServer(directory, record, { name: SUPERVISOR_NAME })
      if (probed.state === 'gone') break
      connection = probed.state === 'serving' ? probed.connection : undefined
      const current = new AbortController()
      lost = current
      connection?.once('end', () => current.abort())
    }
    if (connection !== undefined) {
      aloneSince = (await isAlone(connection)) ? (aloneSince ?? Date.now()) : undefined
      const alone = aloneSince !== undefined && Date.now() - aloneSince >= STORE_LIMITS.embedded.aloneMs
      const holder = await readServerRecord(directory)
      // A missing record means that the folder is gone or is being removed. No other supervisor will take over, so the server
      // must stop now.
      if (alone || holder === undefined) await connection.shutdown().catch(() => undefined)
      else if (holder.claim !== record.claim) break
    }
    await wait(STORE_LIMITS.embedded.pollMs, undefined, { signal: lost.signal }).catch(() => undefined)
  }
  connection?.disconnect()
  await releaseDirectory(directory, record.claim)
}

/** Whether no other process is connected to the server. False if the server does not answer, because it may be busy. */
async function isAlone(connection: Redis): Promise<boolean> {
  const info = await connection.info('clients').catch(() => '')
  return /^connected_clients:[01]\b/m.test(info)
}

function newRecord(served: Pick<RedisServerRecord, 'state' | 'port' | 'password'>): RedisServerRecord {
  return { claim: randomBytes(12).toString('hex'), supervisorPid: process.pid, claimedAt: Date.now(), ...served }
}

async function startServer(directory: string, record: RedisServerRecord, command: readonly string[]): Promise<ChildProcess> {
  const configuration = join(directory, 'redis.conf')
  const settings = [
    'bind 127.0.0.1',
    `port ${record.port}`,
    // A full path may be too long for a socket. So the path is relative to the server's working folder.
    `unixsocket ${REDIS_SOCKET}`,
    'unixsocketperm 600',
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

/** Waits until the server answers, even if loading its data takes long. Returns false if the server process exits first. */
async function comesUp(server: ChildProcess, directory: string, record: RedisServerRecord): Promise<boolean> {
  while (server.pid !== undefined && server.exitCode === null && server.signalCode === null) {
    if (await isServing(directory, record)) return true
    await wait(20)
  }
  return false
}

async function isServing(directory: string, record: RedisServerRecord): Promise<boolean> {
  const probed = await probeServer(directory, record, { name: SUPERVISOR_NAME })
  if (probed.state === 'serving') probed.connection.disconnect()
  return probed.state === 'serving'
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
