import { z } from 'zod'
import { chatPlaceSchema } from '../../chat/event.ts'
import type { ChatPerson, RecentQuestion, RecentQuestions } from '../../chat/recent-questions.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { openSigned, signText } from '../../store/signed-text.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { QUEUE_LIMITS } from '../limits.ts'

const questionSchema = z.object({ text: z.string(), place: chatPlaceSchema, messageId: z.string() })

// The hash is keyed by message id, so a redelivery replaces the earlier entry. The sorted set orders the questions by time, so
// that the oldest are dropped.
const REMEMBER = redisScript(`
  local questions, times = KEYS[1], KEYS[2]
  redis.call('HSET', questions, ARGV[1], ARGV[3])
  redis.call('ZADD', times, ARGV[2], ARGV[1])
  local dropped = redis.call('ZRANGE', times, 0, -1 - ARGV[4])
  for _, id in ipairs(dropped) do
    redis.call('HDEL', questions, id)
    redis.call('ZREM', times, id)
  end
  redis.call('PEXPIRE', questions, ARGV[5])
  redis.call('PEXPIRE', times, ARGV[5])
`)

const FORGET = redisScript(`
  redis.call('HDEL', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
`)

const LIST = redisScript(`
  local ids = redis.call('ZREVRANGE', KEYS[2], 0, -1)
  if #ids == 0 then return {} end
  return redis.call('HMGET', KEYS[1], unpack(ids))
`)

/** Keeps each person's latest questions in Redis for some days. A stored question that cannot be parsed is left out. */
export function createRecentQuestions(redis: RedisClient): RecentQuestions {
  return {
    async remember({ place, messageId, order, author, text }) {
      if (text.trim() === '') return
      const question = {
        text: cutCharacters(text.trim(), QUEUE_LIMITS.recentCharacters),
        place,
        messageId,
      } satisfies RecentQuestion
      const { recentQuestions, recentMs } = QUEUE_LIMITS
      const keys = keysOf({ ...place, user: author })
      const written = signText(redis.stateKey, keys[0], JSON.stringify(question))
      await runScript(redis, REMEMBER, keys, [messageId, order, written, recentQuestions, recentMs])
    },
    async forget(person, messageId) {
      await runScript(redis, FORGET, keysOf(person), [messageId])
    },
    async of(person) {
      const keys = keysOf(person)
      const found = await runScript(redis, LIST, keys, [])
      if (!Array.isArray(found)) return []
      return found.flatMap(written => parseQuestion(openSigned(redis.stateKey, keys[0], String(written)) ?? ''))
    },
  }
}

function keysOf({ platform, workspace, user }: ChatPerson): [string, string] {
  const base = `clew:{${[platform, workspace, user].map(encodeURIComponent).join('/')}}:recent`
  return [base, `${base}:times`]
}

function parseQuestion(text: string): readonly RecentQuestion[] {
  try {
    return [questionSchema.parse(JSON.parse(text))]
  } catch {
    return []
  }
}
