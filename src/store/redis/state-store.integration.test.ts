import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { describeStateStore } from '../state-store.contract.ts'
import type { RedisClient } from './client.ts'
import { createRedisStateStore } from './state-store.ts'

let server: TestRedis
let redis: RedisClient

beforeAll(async () => {
  server = await startTestRedis()
  redis = await server.connect('producer')
})
afterAll(() => server.close())

// Redis uses its own clock for expiry, so the test has to wait.
it('ignores values written without its key or for another place', async () => {
  const store = createRedisStateStore(redis)
  const { signal } = new AbortController()
  await store.set('alice', 'reads all', 60, signal)
  await store.append('log', 'one', 60, signal)
  await redis.set('clew:bob', (await redis.get('clew:alice')) ?? '')
  await redis.set('clew:carol', 'reads all')
  await redis.rpush('clew:log', 'two')
  expect(await store.get('alice', signal)).toBe('reads all')
  expect([await store.get('bob', signal), await store.get('carol', signal)]).toEqual([undefined, undefined])
  expect(await store.list('log', signal)).toEqual(['one'])
  expect(await store.setIfUnchanged('carol', undefined, 'reads nothing', 60, signal)).toBe(true)
})

describeStateStore('the Redis store', { store: () => createRedisStateStore(redis), passTime: wait })

describe('createRedisStateStore', () => {
  it('reports a full Redis, and continues to read', async () => {
    const signal = new AbortController().signal
    const store = createRedisStateStore(redis)
    await store.set('kept', 'x', 60, signal)
    await redis.config('SET', 'maxmemory', '1mb')
    try {
      for (const write of [() => store.set('more', 'x', 60, signal), () => store.append('list', 'x', 60, signal)]) {
        await expect(write()).rejects.toMatchObject({ code: 'store_full', retryable: true })
      }
      expect(await store.get('kept', signal)).toBe('x')
    } finally {
      await redis.config('SET', 'maxmemory', '0')
    }
  })

  it("reports a Redis that takes no writes in the server's words alone, also from a script", async () => {
    const store = createRedisStateStore(redis)
    const { signal } = new AbortController()
    await redis.config('SET', 'min-replicas-to-write', '1')
    try {
      for (const write of [
        () => store.append('list', 'x', 60, signal),
        () => store.setIfUnchanged('one', undefined, 'x', 60, signal),
      ])
        await expect(write()).rejects.toMatchObject({
          code: 'store_unavailable',
          message: 'Redis cannot serve now: NOREPLICAS Not enough good replicas to write.',
        })
    } finally {
      await redis.config('SET', 'min-replicas-to-write', '0')
    }
  })

  it('reports a value of another type in the way', async () => {
    const signal = new AbortController().signal
    const store = createRedisStateStore(redis)
    await store.append('a-list', 'x', 60, signal)
    await expect(store.get('a-list', signal)).rejects.toMatchObject({ code: 'store_failed', retryable: false })
  })
})
