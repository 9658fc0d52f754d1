import { z } from 'zod'
import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { USAGE_LIMITS } from '../limits.ts'

/** A hash in Redis, which has a number for each measure. */
interface Counter {
  readonly key: string
  /** The counter ends so many milliseconds after its first use. */
  readonly livesMs: number
  /** The amount to add to each measure. */
  readonly by: Readonly<Record<string, number>>
  /** The set that lists the names of such counters, and the name of this one. */
  readonly listed?: { readonly key: string; readonly name: string }
}

/** A limit for the sum of a measure over several counters. */
interface Bound {
  readonly keys: readonly string[]
  readonly of: string
  readonly limit: number
  /** Whether more is taken all the same when the limit is reached. */
  readonly soft?: boolean
  /** The field that remembers that somebody was told of the limit. Absent: nobody is told. */
  readonly told?: string
}

export interface Use {
  /**
   * - `count`: adds to the counters.
   * - `take`: adds to them unless that exceeds a limit. It is taken back after `holdMs`, in case the process has died.
   * - `settle`: keeps what was taken, and finds the limits of which somebody is to be told.
   * - `check`: only looks, and holds what was taken for another `holdMs`.
   */
  readonly what: 'count' | 'take' | 'settle' | 'check'
  /** The run or press. It takes only once. */
  readonly id?: string | undefined
  /** Absent: what is taken is kept. */
  readonly holdMs?: number
  readonly counters?: readonly Counter[]
  readonly bounds?: readonly Bound[]
}

/** All counters lie in one slot of Redis Cluster, because one script reads and writes several. */
const PREFIX = 'clew:{usage}:'

// The script uses the clock of Redis for what is held, because all processes share that clock.
const USE = redisScript(`
  local held, use = KEYS[1], cjson.decode(ARGV[1])
  local prefix, taken_ms, kept_ms, most, share = ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local function keep(key, ms)
    if redis.call('PTTL', key) < 0 then redis.call('PEXPIRE', key, ms) end
  end
  local function mark_of(id) return prefix .. 'taken:' .. id end
  local function add()
    if use.id then redis.call('SET', mark_of(use.id), cjson.encode(use.counters), 'PX', taken_ms) end
    for _, counter in ipairs(use.counters) do
      for measure, amount in pairs(counter.by) do redis.call('HINCRBYFLOAT', counter.key, measure, amount) end
      keep(counter.key, counter.livesMs)
      local listed = counter.listed
      if listed and redis.call('SCARD', listed.key) < most then
        redis.call('SADD', listed.key, listed.name)
        keep(listed.key, counter.livesMs)
      end
    end
  end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', held, '-inf', now, 'LIMIT', 0, 20)) do
    local mark = redis.call('GET', mark_of(id))
    for _, counter in ipairs(mark and cjson.decode(mark) or {}) do
      for measure, amount in pairs(counter.by) do
        if redis.call('HEXISTS', counter.key, measure) == 1 then redis.call('HINCRBYFLOAT', counter.key, measure, -amount) end
      end
    end
    redis.call('DEL', mark_of(id))
    redis.call('ZREM', held, id)
  end
  local is_taken = use.id and redis.call('EXISTS', mark_of(use.id)) == 1
  if use.what == 'count' or use.what == 'settle' and not is_taken then add() end
  local more = use.what == 'take' and use.counters[1].by or {}
  local refused, used, lives, told = -1, {}, {}, {}
  for at, bound in ipairs(use.bounds) do
    local sum, was_told = 0, false
    for _, key in ipairs(bound.keys) do
      sum = sum + (tonumber(redis.call('HGET', key, bound.of)) or 0)
      was_told = was_told or bound.told and redis.call('HEXISTS', key, bound.told) == 1
    end
    local latest = bound.keys[#bound.keys]
    used[at], lives[at] = tostring(sum), redis.call('PTTL', latest)
    local is_over = sum >= bound.limit
    if more[bound.of] then is_over = sum + more[bound.of] > bound.limit end
    if is_over and not bound.soft and refused < 0 then refused = at - 1 end
    if use.what == 'settle' and bound.told and not was_told and sum >= bound.limit * share then
      redis.call('HSET', latest, bound.told, 1)
      keep(latest, kept_ms)
      told[#told + 1] = at - 1
    end
  end
  if is_taken and use.what == 'take' then refused = -1 end
  if use.what == 'take' and refused < 0 and not is_taken then add() end
  if use.what == 'settle' then redis.call('ZREM', held, use.id) end
  if use.holdMs and refused < 0 then
    -- A check never holds what is settled.
    redis.call('ZADD', held, use.what == 'check' and 'XX' or 'CH', now + use.holdMs, use.id)
  end
  return {refused, used, lives, told}
`)

const replySchema = z
  .tuple([z.number(), z.array(z.coerce.number()), z.array(z.number()), z.array(z.number())])
  .transform(([refusedBy, used, livesMs, told]) => ({ refusedBy, used, livesMs, told }))

/**
 * The used amount of each bound, and for how many milliseconds its latest counter still lives. `refusedBy` and `told` are
 * indexes of bounds; `refusedBy` is -1 if no bound refuses.
 */
export type Used = z.infer<typeof replySchema>

/**
 * Counts a use, or looks at counters. One script does all of it, so no use slips in between.
 * @throws StoreError
 */
export async function countUse(redis: RedisClient, use: Use, signal: AbortSignal): Promise<Used> {
  const { takenMs, keptMs, listed, toldShare } = USAGE_LIMITS
  const text = JSON.stringify({ counters: [], bounds: [], ...use })
  const values = [text, PREFIX, takenMs, keptMs, listed, toldShare]
  return replySchema.parse(await abortable(runScript(redis, USE, [`${PREFIX}held`], values), signal))
}

/** Returns the key of a counter, or without a name that of the set of such counters. */
export function counterKey(window: string | number, kind: string, name?: string): string {
  return `${PREFIX}${window}:${kind}${name === undefined ? '' : `:${name}`}`
}
