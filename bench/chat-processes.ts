import { startClew } from '../test/support/clew-process.ts'
import { startTestRedis } from '../test/support/redis.ts'
import type { ChatRoom } from './chat-room.ts'
import type { SimulatedModel } from './simulated-model.ts'
import type { World } from './world.ts'

export interface ChatProcesses {
  stop(): Promise<void>
}

/** Starts Clew's bots and one worker for an emulated platform. They use a Redis server of their own. */
export async function startChatProcesses(
  room: ChatRoom,
  model: Pick<SimulatedModel, 'baseUrl'>,
  world: Pick<World, 'url'>,
): Promise<ChatProcesses> {
  const redis = await startTestRedis()
  const env = {
    ...room.env,
    REDIS_URL: redis.url,
    CLICKHOUSE_URL: world.url,
    CLICKHOUSE_DATABASE: 'network',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'simulated',
  }
  const worker = await startClew('worker', 'worker started', env)
  const bots = await startClew('bots', 'connected', env)
  return {
    async stop() {
      await Promise.all([bots.stop(), worker.stop()])
      await redis.close()
    },
  }
}
