import { z } from 'zod'
import type { PostedMessage, RenderedPart } from '../../chat/platform.ts'
import { abortable } from '../../store/abortable.ts'
import { callRedis } from '../../store/redis/call-redis.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { openSigned, signText } from '../../store/signed-text.ts'
import { FenceLostError } from '../fence-lost-error.ts'
import { DELIVERY_LIMITS, QUEUE_LIMITS } from '../limits.ts'
import { threadKeys } from '../thread-keys.ts'
import { FIRST_PART, PLACEHOLDER_PART, STREAM_PART } from './part-names.ts'

/** The final reply. It is rendered only once, so that a resumed run shows the same parts. */
const finalReplySchema = z.object({
  parts: z.array(z.record(z.string(), z.unknown())).min(1),
  notification: z.record(z.string(), z.unknown()).optional(),
  /** The author's rights when the reply was made. If the rights have changed, the reply is made again. */
  rights: z.string().optional(),
})
export type FinalReply = {
  readonly parts: readonly RenderedPart[]
  readonly notification?: RenderedPart | undefined
  readonly rights?: string | undefined
}

/**
 * The result of a claim. `posted`: the part is posted already. `claimed`: the caller may post it. `held`: another process is
 * posting the part, or the post of an earlier attempt may still arrive.
 */
export type PartClaim =
  | { readonly kind: 'posted'; readonly posted: PostedMessage }
  | OwnClaim
  | { readonly kind: 'held'; readonly expiresInMs: number }

export interface OwnClaim {
  readonly kind: 'claimed'
  /** The number of the claim. Each new claim of a part gets a new number. */
  readonly number: number
  /**
   * Whether an earlier attempt may have posted the part without recording the post. If so, the process must search for the post
   * first.
   */
  readonly isDoubtful: boolean
}

/**
 * The owner of a ledger: the run, and the process that writes. A worker has a fence, a number that grows each time a worker
 * starts to answer the thread. Other processes, such as the one that accepted the message, have none.
 */
export interface LedgerOwner {
  readonly thread: string
  readonly runId: string
  readonly fence: number | undefined
  /** A request that timed out may still take effect within this time. Default: `DELIVERY_LIMITS.landingMs`. */
  readonly landingMs?: number | undefined
}

/**
 * Records which parts of a reply a run has shown. A process claims a part, posts it, then records it. Methods throw StoreError,
 * and FenceLostError if another worker has taken over the thread.
 */
export interface RunLedger {
  posted(part: string, signal: AbortSignal): Promise<PostedMessage | undefined>
  claim(part: string, signal: AbortSignal): Promise<PartClaim>
  isHeld(part: string, signal: AbortSignal): Promise<boolean>
  /**
   * Restarts the time limit of a claim.
   * @returns false if the claim has already expired
   */
  renew(part: string, claim: OwnClaim, signal: AbortSignal): Promise<boolean>
  /**
   * Ends a claim without a record. `in_doubt`: the post may exist, so the part stays held until the post can no longer arrive.
   * `not_posted`: this claim has posted nothing, so the part is free again. It stays doubtful if an earlier attempt may have
   * posted it.
   */
  unclaim(part: string, claim: OwnClaim, outcome: 'not_posted' | 'in_doubt', signal: AbortSignal): Promise<void>
  /**
   * Records a post. If the part already has a record, that record stays.
   * @param isFound whether the post was found by a search, and so was made by an earlier attempt
   */
  record(part: string, posted: PostedMessage, isFound: boolean, signal: AbortSignal): Promise<PostedMessage>
  /** Notes that the part may be posted, although it has no record. It is then searched for before it is posted. */
  doubt(part: string, signal: AbortSignal): Promise<void>
  /** Whether any process has ever claimed the part. If so, it may have posted the part. */
  wasTried(part: string, signal: AbortSignal): Promise<boolean>
  /** Makes the streamed message the first part of the reply, and records the previous first part as the placeholder. */
  moveToStream(signal: AbortSignal): Promise<void>
  /** Returns the parts that may have more posts than the ledger records. `posted` is the recorded post, if there is one. */
  doubtful(signal: AbortSignal): Promise<readonly { readonly part: string; readonly posted: PostedMessage | undefined }[]>
  /** The Redis channel on which new records are announced. */
  readonly channel: string
  final(signal: AbortSignal): Promise<FinalReply | undefined>
  saveFinal(final: FinalReply, signal: AbortSignal): Promise<void>
  /**
   * Checks that no other worker has taken over the thread. Called before each edit.
   * @throws FenceLostError
   */
  assertLatest(signal: AbortSignal): Promise<void>
}

const CLAIM = redisScript(`
  if ARGV[2] ~= '' and redis.call('GET', KEYS[3]) ~= ARGV[2] then return {'lost'} end
  local posted = redis.call('HGET', KEYS[1], 'part:' .. ARGV[1])
  if posted then return {'posted', posted} end
  if redis.call('EXISTS', KEYS[2]) == 1 then return {'held', redis.call('PTTL', KEYS[2])} end
  local number = redis.call('HINCRBY', KEYS[1], 'tries:' .. ARGV[1], 1)
  local doubtful = redis.call('HGET', KEYS[1], 'doubtful:' .. ARGV[1]) or '0'
  redis.call('HSET', KEYS[1], 'doubtful:' .. ARGV[1], '1')
  redis.call('HINCRBY', KEYS[1], 'posts:' .. ARGV[1], 1)
  redis.call('SET', KEYS[2], number, 'PX', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return {'claimed', number, doubtful}
`)

const RENEW = redisScript(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`)

// The claim may have expired, and another process may now hold the part. So the script changes only a claim with the caller's
// number.
const UNCLAIM = redisScript(`
  if redis.call('GET', KEYS[2]) ~= ARGV[2] then return end
  if ARGV[3] == 'in_doubt' then return redis.call('PEXPIRE', KEYS[2], ARGV[5]) end
  redis.call('HINCRBY', KEYS[1], 'posts:' .. ARGV[1], -1)
  redis.call('HSET', KEYS[1], 'doubtful:' .. ARGV[1], ARGV[4])
  redis.call('DEL', KEYS[2])
  redis.call('PUBLISH', KEYS[1], ARGV[1])
`)

const RECORD = redisScript(`
  redis.call('HSETNX', KEYS[1], 'part:' .. ARGV[1], ARGV[2])
  if ARGV[4] == '1' then redis.call('HINCRBY', KEYS[1], 'posts:' .. ARGV[1], -1) end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('DEL', KEYS[2])
  redis.call('PUBLISH', KEYS[1], ARGV[1])
  return redis.call('HGET', KEYS[1], 'part:' .. ARGV[1])
`)

const MOVE_TO_STREAM = redisScript(`
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'lost' end
  local stream = redis.call('HGET', KEYS[1], 'part:${STREAM_PART}')
  local first = redis.call('HGET', KEYS[1], 'part:${FIRST_PART}')
  if stream and first and first ~= stream then
    redis.call('HSET', KEYS[1], 'part:${PLACEHOLDER_PART}', first, 'part:${FIRST_PART}', stream)
  end
  return 'moved'
`)

const SAVE_FINAL = redisScript(`
  if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 'lost' end
  redis.call('HSET', KEYS[1], 'final', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 'saved'
`)

export function createRunLedger(redis: RedisClient, owner: LedgerOwner): RunLedger {
  const keys = threadKeys(owner.thread)
  const run = keys.run(owner.runId)
  const place = `final ${run}`
  const landingMs = owner.landingMs ?? DELIVERY_LIMITS.landingMs
  const claimMs = DELIVERY_LIMITS.requestMs + landingMs
  const fence = owner.fence === undefined ? '' : String(owner.fence)

  async function field(name: string, signal: AbortSignal): Promise<string | undefined> {
    return (await callRedis(redis.hget(run, name), signal)) ?? undefined
  }

  return {
    channel: run,
    async posted(part, signal) {
      const id = await field(`part:${part}`, signal)
      return id === undefined ? undefined : { id }
    },
    async claim(part, signal) {
      const where = [run, keys.claim(owner.runId, part), keys.fence]
      const values = [part, fence, claimMs, QUEUE_LIMITS.ledgerMs]
      const reply = await abortable(runScript(redis, CLAIM, where, values), signal)
      const [kind, detail, doubtful] = Array.isArray(reply) ? reply.map(String) : []
      if (kind === 'lost') throw new FenceLostError(owner.thread)
      if (kind === 'posted' && detail !== undefined) return { kind, posted: { id: detail } }
      return kind === 'claimed'
        ? { kind, number: Number(detail), isDoubtful: doubtful === '1' }
        : { kind: 'held', expiresInMs: Math.max(1, Number(detail)) }
    },
    async isHeld(part, signal) {
      return (await callRedis(redis.exists(keys.claim(owner.runId, part)), signal)) === 1
    },
    async renew(part, { number }, signal) {
      const values = [number, claimMs]
      return Number(await abortable(runScript(redis, RENEW, [keys.claim(owner.runId, part)], values), signal)) === 1
    },
    async unclaim(part, { number, isDoubtful }, outcome, signal) {
      const values = [part, number, outcome, isDoubtful ? '1' : '0', landingMs]
      await abortable(runScript(redis, UNCLAIM, [run, keys.claim(owner.runId, part)], values), signal)
    },
    async record(part, posted, isFound, signal) {
      const values = [part, posted.id, QUEUE_LIMITS.ledgerMs, isFound ? '1' : '0']
      return { id: String(await abortable(runScript(redis, RECORD, [run, keys.claim(owner.runId, part)], values), signal)) }
    },
    async doubt(part, signal) {
      await callRedis(redis.hset(run, `doubtful:${part}`, '1'), signal)
    },
    async wasTried(part, signal) {
      return (await field(`tries:${part}`, signal)) !== undefined
    },
    async moveToStream(signal) {
      const reply = await abortable(runScript(redis, MOVE_TO_STREAM, [run, keys.fence], [fence]), signal)
      if (reply === 'lost') throw new FenceLostError(owner.thread)
    },
    async doubtful(signal) {
      const fields = await callRedis(redis.hgetall(run), signal)
      return Object.entries(fields).flatMap(([name, posts]) => {
        const part = /^posts:(.+)$/.exec(name)?.[1]
        if (part === undefined) return []
        const id = fields[`part:${part}`]
        return Number(posts) > (id === undefined ? 0 : 1) ? [{ part, posted: id === undefined ? undefined : { id } }] : []
      })
    },
    async final(signal) {
      const text = await field('final', signal)
      // The stored reply is signed. So somebody who can write to Redis, but does not have the key, cannot make Clew show another
      // text.
      const trusted = text === undefined ? undefined : openSigned(redis.stateKey, place, text)
      return trusted === undefined ? undefined : parseFinal(trusted)
    },
    async saveFinal(final, signal) {
      const values = [fence, signText(redis.stateKey, place, JSON.stringify(final)), QUEUE_LIMITS.ledgerMs]
      const reply = await abortable(runScript(redis, SAVE_FINAL, [run, keys.fence], values), signal)
      if (reply === 'lost') throw new FenceLostError(owner.thread)
    },
    async assertLatest(signal) {
      if (fence !== '' && (await callRedis(redis.get(keys.fence), signal)) !== fence) throw new FenceLostError(owner.thread)
    },
  }
}

/**
 * Parses a stored reply. Undefined if the text cannot be parsed, for example because another version of Clew wrote it. The reply
 * is then made again.
 */
function parseFinal(text: string): FinalReply | undefined {
  try {
    return finalReplySchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
