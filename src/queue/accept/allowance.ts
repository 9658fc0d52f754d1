import type { ChatPlace } from '../../chat/event.ts'
import { abortable } from '../../store/abortable.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { askerName } from '../asker.ts'
import { ALLOWANCE_LIMITS } from '../limits.ts'

/** The limits for one person. A channel's limits are `ALLOWANCE_LIMITS.channelFactor` times as high. */
export interface AllowanceLimits {
  readonly questions: number
  readonly presses: number
  /** Tokens of a model's input and output together. */
  readonly tokens: number
}

interface Taker {
  readonly place: Pick<ChatPlace, 'platform' | 'channel'>
  readonly user: string
}

/** Limits how many questions, presses and model tokens a person and a channel may use. Methods throw StoreError. */
export interface Allowance {
  /**
   * Counts one question or press. A further call with the same id is not counted again.
   * @returns undefined on success; if the limit is reached, counts nothing and returns the milliseconds until a try can succeed
   */
  take(kind: 'question' | 'press', id: string, taker: Taker, signal: AbortSignal): Promise<number | undefined>
  /** Counts the tokens that a run has used since the last call for the same run. */
  spend(runId: string, tokens: number, taker: Taker, signal: AbortSignal): Promise<void>
}

// Each key is a sorted set of uses, ordered by time. Each member ends with the amount that was used, such as `… 1` for one
// question. The script uses the clock of Redis, because all processes share that clock.
const SUM = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local function waited(key, most, window)
    redis.call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    local entries, sum = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), 0
    for at = 1, #entries, 2 do sum = sum + tonumber(string.match(entries[at], '%d+$')) end
    if sum <= most then return 0 end
    for at = 1, #entries, 2 do
      sum = sum - tonumber(string.match(entries[at], '%d+$'))
      if sum <= most then return tonumber(entries[at + 1]) + window - now end
    end
    return window
  end
`

// Each use of `taken` counts one, so the entry at `over` must expire before another use.
const TAKE = redisScript(`
  ${SUM}
  local member = ARGV[1] .. ' 1'
  local taken, spent = KEYS[1], KEYS[2]
  if redis.call('ZSCORE', taken, member) then return 0 end
  redis.call('ZREMRANGEBYSCORE', taken, '-inf', now - ARGV[3])
  local over, wait = redis.call('ZCARD', taken) - ARGV[2], 0
  if over >= 0 then wait = (redis.call('ZRANGE', taken, over, over, 'WITHSCORES')[2] or now) + ARGV[3] - now end
  if spent then wait = math.max(wait, waited(spent, tonumber(ARGV[4]) - 1, tonumber(ARGV[5]))) end
  if wait > 0 then return math.max(1, math.ceil(wait)) end
  redis.call('ZADD', taken, now, member)
  redis.call('PEXPIRE', taken, ARGV[3])
  return 0
`)

const GIVE = redisScript(`redis.call('ZREM', KEYS[1], ARGV[1] .. ' 1')`)

const SPEND = redisScript(`
  ${SUM}
  redis.call('ZADD', KEYS[1], now, ARGV[1] .. ' ' .. time[1] .. '.' .. time[2] .. ' ' .. ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
`)

/**
 * Counts one use within a window of time. A use that is counted again counts once.
 * @returns 0, or the milliseconds until another use can be counted
 * @throws StoreError
 */
export async function countUse(
  redis: RedisClient,
  key: string,
  { id, most, windowMs }: { readonly id: string; readonly most: number; readonly windowMs: number },
  signal: AbortSignal,
): Promise<number> {
  return Number(await abortable(runScript(redis, TAKE, [key], [id, most, windowMs]), signal))
}

export function createAllowance(redis: RedisClient, ofPerson: AllowanceLimits): Allowance {
  const { countedMs, spentMs, channelFactor } = ALLOWANCE_LIMITS

  /** Returns the two counters that a use increases: the person's and the channel's. */
  function shares({ place, user }: Taker) {
    return [
      { name: `person:${askerName(place, user)}`, factor: 1 },
      { name: `channel:${askerName(place, place.channel)}`, factor: channelFactor },
    ]
  }
  const keyOf = (name: string, kind: string) => `clew:allowance:{${name}}:${kind}`

  return {
    async take(kind, id, taker, signal) {
      const given: string[] = []
      for (const { name, factor } of shares(taker)) {
        const taken = keyOf(name, kind)
        const keys = kind === 'question' ? [taken, keyOf(name, 'tokens')] : [taken]
        const most = factor * (kind === 'question' ? ofPerson.questions : ofPerson.presses)
        const values = [id, most, countedMs, factor * ofPerson.tokens, spentMs]
        const waitMs = Number(await abortable(runScript(redis, TAKE, keys, values), signal))
        if (waitMs > 0) {
          for (const key of given) await abortable(runScript(redis, GIVE, [key], [id]), signal)
          return waitMs
        }
        given.push(taken)
      }
      return undefined
    },
    async spend(runId, tokens, taker, signal) {
      if (tokens === 0) return
      for (const { name } of shares(taker))
        await abortable(runScript(redis, SPEND, [keyOf(name, 'tokens')], [runId, tokens, spentMs]), signal)
    },
  }
}
