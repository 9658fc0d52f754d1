import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { errorCode } from '../../base/errors.ts'
import { isAlive } from '../../base/is-alive.ts'
import { STORE_LIMITS } from '../limits.ts'
import type { RedisServerRecord } from './server-record.ts'

/**
 * `gone`: no server serves the folder. `silent`: there may be a server that does not answer. The caller must then not start
 * another one.
 */
export type ProbedServer = { readonly state: 'serving'; readonly connection: Redis } | { readonly state: 'gone' | 'silent' }

/**
 * The socket's name inside the folder. Only the owner may enter the folder, so no other user's program can answer on this socket
 * and receive the password.
 */
export const REDIS_SOCKET = 'redis.sock'
/** The maximum length in bytes of a socket's path on Linux and macOS. */
const LONGEST_SOCKET = 103

/**
 * Connects to the server of a folder, and checks that it has the recorded port. The check is needed because, if the recorded
 * server has died, a program of another user may have that port now.
 * @param options.name the name of the connection in CLIENT LIST
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
    connectTimeout: STORE_LIMITS.embedded.answerMs,
    disconnectTimeout: 200,
    commandTimeout: STORE_LIMITS.embedded.answerMs,
    // If the connection breaks during a SHUTDOWN, the driver would by default send the command again and so end the next server
    // too.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => (served && options.reconnects === true ? STORE_LIMITS.embedded.reconnectMs : null),
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
    // A missing socket does not prove that no server is there. A server that is still starting has no socket yet, and servers of
    // earlier Clew versions never have one. So the state is `silent` while the recorded supervisor is another living process.
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
