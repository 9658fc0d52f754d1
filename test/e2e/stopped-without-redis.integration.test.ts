import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { createRedisProcess, type RedisProcess } from '../support/redis-process.ts'

let world: ClewWorld
let redis: RedisProcess

beforeAll(async () => {
  ;[world, redis] = await Promise.all([startClewWorld({}), createRedisProcess()])
})
beforeEach(() => redis.start())
afterAll(async () => {
  await world.close()
  await redis.close()
})

/** Returns the state of Redis in the readiness report of the process. */
async function isServed(clew: ClewProcess): Promise<unknown> {
  const port = clew.log.map(line => JSON.parse(line).port).find(found => found !== undefined)
  const answer = await fetch(`http://127.0.0.1:${port}/ready`)
  const { parts } = (await answer.json()) as { readonly parts: Readonly<Record<string, boolean>> }
  return parts.redis
}

describe('a worker that is stopped', () => {
  it('ends by itself while its Redis is silent, as its readiness reports', async () => {
    const worker = await world.startWorker({ REDIS_URL: redis.url })
    expect(await isServed(worker)).toBe(true)
    redis.silence()
    expect(await isServed(worker)).toBe(false)
    expect(await worker.stop()).toBe(0)
    await redis.kill()
  })

  it('ends by itself while its Redis is away', async () => {
    const worker = await world.startWorker({ REDIS_URL: redis.url })
    await redis.kill()
    expect(await worker.stop()).toBe(0)
  })
})
