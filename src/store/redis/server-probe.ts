import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { errorCode } from '../../base/errors.ts'
import { isAlive } from '../../base/is-alive.ts'
import type { RedisServerRecord } from './server-record.ts'

/** `gone`: no server serves the folder. `silent`: one may, but does not answer, so its folder must be left alone. */
export type ProbedServer = { readonly state: 'serving'; readonly connection: Redis } | { readonly state: 'gone' | 'silent' }

const ANSWER_TIMEOUT_MS = 3000
const RECONNECT_MS = 200

/** Inside the folder, which only its owner may enter. So whatever answers there is the folder's server and may receive the password. */
export const REDIS_SOCKET = 'redis.sock'
/** The longest socket path on Linux and macOS. */
const LONGEST_SOCKET = 103

/**
 * Connects to a folder's server, with a name that its CLIENT LIST shows, and has it confirm its port. Another user's program may have taken a dead
 * server's port.
 * @param options.reconnects whether an established connection reconnects by itself
 */
export async function probeServer(
  directory: string,
  record: RedisServerRecord,
  options: { readonly name: string; readonly reconnects?: boolean },
): Promise<ProbedServer> {
  let lastError: unknown
  let served = false
  const { path, release } = socketOf(directory)
  const connection = new Redis({
    path,
    password: record.password,
    connectionName: options.name,
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT_MS,
    disconnectTimeout: 200,
    commandTimeout: ANSWER_TIMEOUT_MS,
    // A SHUTDOWN that lost its connection must not reach the next server.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => (served && options.reconnects === true ? RECONNECT_MS : null),
  })
  connection.once('end', release)
  connection.on('error', error => {
    lastError = error
  })
  try {
    await connection.connect()
    const port = Number(/^tcp_port:(\d+)/m.exec(await connection.info('server'))?.[1])
    if (port !== record.port) throw new Error('the server of the folder is not the recorded one')
    served = true
    return { state: 'serving', connection }
  } catch (error) {
    connection.disconnect()
    const cause = lastError ?? error
    const code = errorCode(cause) ?? ''
    // The socket appears late, and never with earlier versions. So the server may still exist.
    if (code === 'ENOENT')
      return { state: record.supervisorPid !== process.pid && isAlive(record.supervisorPid) ? 'silent' : 'gone' }
    const refused = ['ECONNREFUSED', 'ECONNRESET'].includes(code)
    const foreign = cause instanceof Error && (cause.name === 'ReplyError' || cause.name === 'ParserError')
    return { state: refused || foreign ? 'gone' : 'silent' }
  }
}

function socketOf(directory: string): { readonly path: string; readonly release: () => void } {
  const path = join(directory, REDIS_SOCKET)
  if (Buffer.byteLength(path) <= LONGEST_SOCKET || process.platform !== 'linux') return { path, release: () => undefined }
  const folder = openSync(directory, 'r')
  return { path: `/proc/self/fd/${folder}/${REDIS_SOCKET}`, release: () => closeSync(folder) }
}
