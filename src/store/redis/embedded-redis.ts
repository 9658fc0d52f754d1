import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { doneWithin } from '../../base/done-within.ts'
import { ConfigurationError, errorMessage } from '../../base/errors.ts'
import { isAlive } from '../../base/is-alive.ts'
import type { Logger } from '../../base/logger.ts'
import { compiledEntry } from '../../base/package-files.ts'
import { STORE_LIMITS } from '../limits.ts'
import { findOnPath, findRedisServer } from './binary.ts'
import { probeServer } from './server-probe.ts'
import { type RedisServerRecord, readServerRecord } from './server-record.ts'

export interface EmbeddedRedisOptions {
  /** The data folder, which is created if it is missing. All processes with the same folder share one server. */
  readonly directory: string
  /** The value of the variable PATH. `redis-server` and `apt-get` are searched for in its folders. */
  readonly path: string
  /** Whether to install Debian's package if the server is missing. Default: yes for root, no for others. */
  readonly mayInstall?: boolean
  readonly logger: Logger
}

export interface EmbeddedRedis {
  /** The URL contains the password, so it must be treated as a secret. */
  readonly url: string
  /** Disconnects from the server. The server stops when no process uses it any more. Its data stay on disk. */
  close(): Promise<void>
}

/**
 * The name of the connection that each process holds while it uses a private server. The server runs as long as at least one such
 * connection is open. The Redis command CLIENT LIST shows these names.
 */
const LEASE_NAME = 'clew-lease'

/**
 * Starts a private Redis for a folder, or joins the folder's server. The server is append-only, never evicts, and listens on a
 * free port of 127.0.0.1 with a random password. A small supervisor process stops the server when no process is connected any
 * more, even if those processes were killed. The data stay on disk, so the next start has them even after a crash.
 * @throws ConfigurationError if `redis-server` is missing and must not be installed, if the folder is not writable, or if the
 * server does not start
 */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
  const directory = await openFolder(options.directory)
  const deadline = Date.now() + STORE_LIMITS.embedded.startMs
  let supervisor: ChildProcess | undefined
  for (;;) {
    const record = await readServerRecord(directory)
    const server =
      record?.state === 'serving' ? await probeServer(directory, record, { name: LEASE_NAME, reconnects: true }) : undefined
    if (record !== undefined && server?.state === 'serving') {
      // The supervisor, which starts and stops the server, was killed. Without a new supervisor, the server would never stop.
      if (!isAlive(record.supervisorPid)) await startSupervisor(directory, options)
      return { url: urlOf(record), close: () => release(server.connection, directory, record) }
    }
    if (supervisor !== undefined && supervisor.exitCode !== null && supervisor.exitCode !== 0) throw await startFailure(directory)
    if (Date.now() > deadline) throw await startFailure(directory)
    const running = supervisor !== undefined && supervisor.exitCode === null && supervisor.signalCode === null
    if (!running && !isStarting(record) && server?.state !== 'silent') supervisor = await startSupervisor(directory, options)
    await wait(50)
  }
}

async function openFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    const sentence = `The private Redis keeps its data in ${folder}, which this user cannot write: ${errorMessage(error)}.`
    throw new ConfigurationError(`${sentence} Make it writable, or set REDIS_URL to a Redis that runs already.`, { cause: error })
  }
}

async function release(lease: Redis, directory: string, record: RedisServerRecord): Promise<void> {
  const clients = lease.status === 'ready' ? String(await lease.client('LIST').catch(() => '')) : ''
  const leases = clients.split('\n').filter(line => line.includes(` name=${LEASE_NAME} `)).length
  // If the server has other users, or if this connection is lost, do not stop the server here. The supervisor stops it later.
  if (leases !== 1) return lease.disconnect()
  const closed = once(lease, 'close')
  // The server saves its data and exits without an answer. If it refuses to exit, the supervisor stops it later.
  lease.shutdown().catch(() => lease.disconnect())
  await doneWithin(STORE_LIMITS.embedded.stopMs, closed)
  lease.disconnect()
  const deadline = Date.now() + STORE_LIMITS.embedded.stopMs
  while (Date.now() < deadline && (await readServerRecord(directory)) !== undefined && isAlive(record.supervisorPid))
    await wait(20)
}

async function startSupervisor(directory: string, options: EmbeddedRedisOptions): Promise<ChildProcess> {
  const mayInstall = options.mayInstall ?? process.getuid?.() === 0
  const server = await findRedisServer({ path: options.path, directory, mayInstall, logger: options.logger })
  // On Linux, `setpriv` makes the server die together with its supervisor.
  const setpriv = process.platform === 'linux' ? await findOnPath('setpriv', options.path) : undefined
  const command = setpriv === undefined ? [server] : [setpriv, '--pdeathsig', 'TERM', server]
  const entry = compiledEntry('store/redis/supervisor')
  await access(entry).catch(error => {
    throw new ConfigurationError(`${entry} is missing: run \`npm run build\` first.`, { cause: error })
  })
  const supervisor = spawn(process.execPath, [entry, directory, ...command], {
    detached: true,
    stdio: 'ignore',
    // The supervisor and its server outlive this process and need none of its secrets. So they get only PATH.
    env: { PATH: options.path },
  })
  supervisor.on('error', error => options.logger.error({ error: error.message }, 'redis supervisor could not be started'))
  supervisor.unref()
  return supervisor
}

function isStarting(record: RedisServerRecord | undefined): boolean {
  return (
    record?.state === 'starting' && Date.now() - record.claimedAt < STORE_LIMITS.embedded.claimMs && isAlive(record.supervisorPid)
  )
}

function urlOf(record: RedisServerRecord): string {
  return `redis://:${record.password}@127.0.0.1:${record.port}/0`
}

async function startFailure(directory: string): Promise<ConfigurationError> {
  const log = await readFile(join(directory, 'redis.log'), 'utf8').catch(() => '')
  const lines = log.trimEnd().split('\n').slice(-5).join(' | ')
  return new ConfigurationError(`The private Redis in ${directory} did not start: ${lines === '' ? 'it left no log' : lines}`)
}
