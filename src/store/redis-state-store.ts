import { abortable } from './abortable.ts'
import type { RedisClient } from './redis-client.ts'
import { redisScript, runScript } from './redis-script.ts'
import type { StateStore } from './state-store.ts'
import { storeError } from './store-error.ts'

const APPEND = redisScript(`redis.call('RPUSH', KEYS[1], ARGV[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2])`)
const REPLACE = redisScript(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) return 1`,
)

/**
 * The store in Redis. Keys are put behind `clew:`, apart from those of the queue and of whoever shares the server.
 * Every method throws StoreError when Redis is away or full.
 */
export function createRedisStateStore(redis: RedisClient): StateStore {
  return {
    async get(key, signal) {
      const value = await call(redis.get(prefixed(key)), signal)
      return value ?? undefined
    },
    async set(key, value, ttlSeconds, signal) {
      await call(redis.set(prefixed(key), value, 'PX', milliseconds(ttlSeconds)), signal)
    },
    async setIfUnchanged(key, before, value, ttlSeconds, signal) {
      const life = milliseconds(ttlSeconds)
      if (before === undefined) return (await call(redis.set(prefixed(key), value, 'PX', life, 'NX'), signal)) === 'OK'
      return (await call(runScript(redis, REPLACE, [prefixed(key)], [before, value, life]), signal)) === 1
    },
    async delete(key, signal) {
      await call(redis.del(prefixed(key)), signal)
    },
    async append(key, value, ttlSeconds, signal) {
      await call(runScript(redis, APPEND, [prefixed(key)], [value, milliseconds(ttlSeconds)]), signal)
    },
    async list(key, signal) {
      return call(redis.lrange(prefixed(key), 0, -1), signal)
    },
  }
}

async function call<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return abortable(
    work.catch((error: unknown) => {
      throw storeError(error)
    }),
    signal,
  )
}

function prefixed(key: string): string {
  return `clew:${key}`
}

function milliseconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds * 1000))
}
