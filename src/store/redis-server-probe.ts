import { Redis } from 'ioredis'
import { errorCode } from '../errors.ts'
import type { RedisServerRecord } from './redis-server-record.ts'

/** `gone`: nothing of ours is at the recorded address. `silent`: something is and does not answer, so its folder must be left alone. */
export type ProbedServer = { readonly state: 'serving'; readonly connection: Redis } | { readonly state: 'gone' | 'silent' }

const ANSWER_TIMEOUT_MS = 3000
const RECONNECT_MS = 200

/**
 * Connects to the recorded server, under a name that its CLIENT LIST shows.
 * @param options.reconnects whether the connection comes back by itself once it has stood
 */
export async function probeServer(
  record: RedisServerRecord,
  options: { readonly name: string; readonly reconnects?: boolean },
): Promise<ProbedServer> {
  let lastError: unknown
  let served = false
  const connection = new Redis({
    host: '127.0.0.1',
    port: record.port,
    password: record.password,
    connectionName: options.name,
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT_MS,
    disconnectTimeout: 200,
    commandTimeout: ANSWER_TIMEOUT_MS,
    // A SHUTDOWN that has lost its connection must not be sent to the next server.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => (served && options.reconnects === true ? RECONNECT_MS : null),
  })
  connection.on('error', error => {
    lastError = error
  })
  try {
    await connection.connect()
    await connection.ping()
    served = true
    return { state: 'serving', connection }
  } catch (error) {
    connection.disconnect()
    const cause = lastError ?? error
    const refused = ['ECONNREFUSED', 'ECONNRESET'].includes(errorCode(cause) ?? '')
    const foreign = cause instanceof Error && (cause.name === 'ReplyError' || cause.name === 'ParserError')
    return { state: refused || foreign ? 'gone' : 'silent' }
  }
}
