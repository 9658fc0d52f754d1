import { openSigned, signText } from '../signed-text.ts'
import type { StateStore } from '../state-store.ts'
import { callRedis } from './call-redis.ts'
import type { RedisClient } from './client.ts'
import { redisScript, runScript } from './script.ts'

const APPEND = redisScript(`redis.call('RPUSH', KEYS[1], ARGV[1]) redis.call('PEXPIRE', KEYS[1], ARGV[2])`)
const REPLACE = redisScript(
  `if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) return 1`,
)

const REMOVE = redisScript(`if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end`)

/**
 * Creates a store in Redis. Each value is signed for its key. A value without a valid signature is treated as absent, and `get`
 * removes it. Keys have the prefix `clew:`, unlike the keys of the queue and of other programs. Every method throws StoreError if
 * Redis is away or full.
 */
export function createRedisStateStore(redis: RedisClient): StateStore {
  const sign = (key: string, value: string) => signText(redis.stateKey, prefixed(key), value)
  const open = (key: string, signed: string) => openSigned(redis.stateKey, prefixed(key), signed)
  return {
    async get(key, signal) {
      // The value is read as bytes, because decoding would change text that is not valid UTF-8. REMOVE compares the value, and
      // would then not match.
      const signed = await callRedis(redis.getBuffer(prefixed(key)), signal)
      if (signed === null) return undefined
      const value = open(key, signed.toString())
      if (value === undefined) await callRedis(runScript(redis, REMOVE, [prefixed(key)], [signed]), signal)
      return value
    },
    async set(key, value, ttlSeconds, signal) {
      await callRedis(redis.set(prefixed(key), sign(key, value), 'PX', milliseconds(ttlSeconds)), signal)
    },
    async setIfUnchanged(key, before, value, ttlSeconds, signal) {
      const life = milliseconds(ttlSeconds)
      const after = sign(key, value)
      if (before === undefined) return (await callRedis(redis.set(prefixed(key), after, 'PX', life, 'NX'), signal)) === 'OK'
      return (await callRedis(runScript(redis, REPLACE, [prefixed(key)], [sign(key, before), after, life]), signal)) === 1
    },
    async delete(key, signal) {
      await callRedis(redis.del(prefixed(key)), signal)
    },
    async append(key, value, ttlSeconds, signal) {
      await callRedis(runScript(redis, APPEND, [prefixed(key)], [sign(key, value), milliseconds(ttlSeconds)]), signal)
    },
    async list(key, signal) {
      const signed = await callRedis(redis.lrange(prefixed(key), 0, -1), signal)
      return signed.flatMap(each => open(key, each) ?? [])
    },
  }
}

function prefixed(key: string): string {
  return `clew:${key}`
}

function milliseconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds * 1000))
}
