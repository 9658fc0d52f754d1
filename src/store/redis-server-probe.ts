import { Redis } from 'ioredis'
import type { RedisServerRecord } from './redis-server-record.ts'

/** `gone`: nothing of ours is at the recorded address. `silent`: something is and does not answer, so its folder must be left alone. */
export type ProbedServer = { readonly state: 'serving'; readonly connection: Redis } | { readonly state: 'gone' | 'silent' }

const ANSWER_TIMEOUT_MS = 3000

/** Connects to the recorded server, under a name that its CLIENT LIST shows. The connection does not come back once it is lost. */
export async function probeServer(record: RedisServerRecord, name: string): Promise<ProbedServer> {
  let lastError: unknown
  const connection = new Redis({
    host: '127.0.0.1',
    port: record.port,
    password: record.password,
    connectionName: name,
    lazyConnect: true,
    connectTimeout: ANSWER_TIMEOUT_MS,
    commandTimeout: ANSWER_TIMEOUT_MS,
    retryStrategy: () => null,
  })
  connection.on('error', error => {
    lastError = error
  })
  try {
    await connection.connect()
    await connection.ping()
    return { state: 'serving', connection }
  } catch (error) {
    connection.disconnect()
    const cause = lastError ?? error
    const refused = cause instanceof Error && 'code' in cause && (cause.code === 'ECONNREFUSED' || cause.code === 'ECONNRESET')
    const foreign = cause instanceof Error && (cause.name === 'ReplyError' || cause.name === 'ParserError')
    return { state: refused || foreign ? 'gone' : 'silent' }
  }
}
