import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/base/logger.ts'
import type { RedisClient } from '../../src/store/redis/client.ts'
import { closeRedis, connectRedis, type RedisRole } from '../../src/store/redis/connection.ts'
import { startEmbeddedRedis } from '../../src/store/redis/embedded-redis.ts'
import { TEST_STATE_KEY } from './state-key.ts'

export interface TestRedis {
  readonly url: string
  /** The folder with the server's files. */
  readonly directory: string
  /** Opens a connection and checks it. `close` closes this connection too. */
  connect(role?: RedisRole): Promise<RedisClient>
  close(): Promise<void>
}

/** An empty Redis server that only one test file uses. It needs the compiled files: `npm run build`. */
export async function startTestRedis(): Promise<TestRedis> {
  const directory = await mkdtemp(join(tmpdir(), 'clew-redis-'))
  const logger = createLogger({ level: 'fatal' })
  const server = await startEmbeddedRedis({ directory, path: process.env.PATH ?? '', logger })
  const connections: RedisClient[] = []
  return {
    url: server.url,
    directory,
    async connect(role = 'worker') {
      const redis = await connectRedis({ stateKey: TEST_STATE_KEY, url: server.url, role, logger })
      connections.push(redis)
      return redis
    },
    async close() {
      for (const redis of connections.reverse()) await closeRedis(redis)
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
