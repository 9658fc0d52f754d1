import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import type { ChatMessage } from '../../chat/event.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { redisScript, runScript } from '../../store/redis/script.ts'
import { inSpan, traceparent } from '../../telemetry/span.ts'
import { askerName } from '../asker.ts'
import type { DrainQueue } from '../drain-queue.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { THREAD_INDEX, threadKeys, threadName } from '../thread-keys.ts'
import { type AcceptedMessage, readAccepted, writeAccepted } from './accepted-message.ts'
import type { AcceptedRuns } from './accepted-runs.ts'

/** `ignored`: nobody has mentioned Clew in the thread, or the thread has too many messages. */
export type Acceptance =
  | { readonly outcome: 'accepted'; readonly accepted: AcceptedMessage }
  | { readonly outcome: 'duplicate' }
  | { readonly outcome: 'ignored' }

export interface Acceptor {
  /**
   * Writes a message to its thread, once. The caller may then acknowledge the message, because it can be lost only together with
   * the data of Redis. After an error, the caller must not acknowledge it, so that the platform delivers it again.
   * @throws StoreError if Redis is away (`store_unavailable`) or full (`store_full`)
   */
  accept(message: ChatMessage): Promise<Acceptance>
}

export interface AcceptorDeps {
  /** A Redis connection whose commands fail at once if Redis cannot be reached. */
  readonly redis: RedisClient
  readonly queue: DrainQueue
  readonly runs: Pick<AcceptedRuns, 'note' | 'idOf'>
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

// The script uses the clock of Redis, because all processes share that clock.
export const TOUCH_INDEX = redisScript(`
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[1], time[1] * 1000 + math.floor(time[2] / 1000), ARGV[1])
`)

// A reply may arrive before the mention that calls Clew into its thread, so the reply is held for a while. Each new reply removes
// expired replies. Otherwise a busy thread without Clew would fill Redis.
const HOLD_UNLESS_CALLED = redisScript(`
  local seen, called, held = KEYS[1], KEYS[2], KEYS[3]
  local id, order, payload, seen_ms, held_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
  if redis.call('EXISTS', called) == 1 then return 'called' end
  if redis.call('EXISTS', seen) == 0 then
    redis.call('SET', seen, '1', 'PX', seen_ms)
    local others = redis.call('HGETALL', held)
    for at = 1, #others, 2 do
      local held_order = tonumber(string.match(others[at + 1], '^%S+'))
      if held_order < tonumber(order) - tonumber(held_ms) * 1000 then redis.call('HDEL', held, others[at]) end
    end
    redis.call('HSET', held, id, order .. ' ' .. payload)
    redis.call('PEXPIRE', held, held_ms)
  end
  return 'held'
`)

const ACCEPT = redisScript(`
  local seen, pending, messages, called, held, turns = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
  local id, order, payload, seen_ms, called_ms = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
  local one_too_many, turns_ms, most_turns = ARGV[6], ARGV[7], tonumber(ARGV[8])
  if redis.call('EXISTS', seen) == 1 then return {'duplicate'} end
  redis.call('SET', seen, '1', 'PX', seen_ms)
  local turn = redis.call('INCR', turns)
  if turn == 1 then redis.call('PEXPIRE', turns, turns_ms) end
  if turn > most_turns + 1 then
    -- The message may come again when the thread has room.
    redis.call('DEL', seen)
    return {'ignored'}
  end
  if turn > most_turns then payload = one_too_many end
  redis.call('SET', called, '1', 'PX', called_ms)
  redis.call('HSET', messages, id, payload)
  redis.call('ZADD', pending, order, id)
  local reply = {turn > most_turns and 'one_too_many' or 'accepted'}
  local early = redis.call('HGETALL', held)
  for at = 1, #early, 2 do
    local early_order, early_payload = string.match(early[at + 1], '^(%S+) (.*)$')
    if tonumber(early_order) > tonumber(order) then
      redis.call('HSET', messages, early[at], early_payload)
      redis.call('ZADD', pending, early_order, early[at])
      table.insert(reply, early_payload)
    end
  end
  redis.call('DEL', held)
  return reply
`)

/** A signal that never aborts, because an acceptance that has begun must run to its end. */
const NEVER = new AbortController().signal

export function createAcceptor(deps: AcceptorDeps): Acceptor {
  const acceptor: Acceptor = {
    async accept(message) {
      const thread = threadName(message.place)
      const keys = threadKeys(thread)
      const accepted = {
        message,
        runId: deps.runs.idOf(message),
        acceptedAt: deps.now(),
        ...traceparent(),
      } satisfies AcceptedMessage
      const { stateKey } = deps.redis
      const write = (each: AcceptedMessage) => writeAccepted(stateKey, thread, each)
      const seen = keys.seen(message.messageId)
      const own = [message.messageId, message.order, write(accepted), QUEUE_LIMITS.seenMs] as const
      if (!message.addressed) {
        const where = [seen, keys.called, keys.held]
        if ((await runScript(deps.redis, HOLD_UNLESS_CALLED, where, [...own, QUEUE_LIMITS.heldMs])) === 'held')
          return { outcome: 'ignored' }
      }
      // In a cluster, one script can write only keys of one slot. `runs` and the index are in other slots than the thread, so
      // they are written separately. They come first, because they do no harm if the message is then not written.
      await Promise.all([deps.runs.note(accepted, NEVER), runScript(deps.redis, TOUCH_INDEX, [THREAD_INDEX], [thread])])
      const where = [seen, keys.pending, keys.messages, keys.called, keys.held, keys.turns]
      const oneTooMany = { ...accepted, isOneTooMany: true } satisfies AcceptedMessage
      const limits = [QUEUE_LIMITS.calledMs, write(oneTooMany), QUEUE_LIMITS.turnsMs, QUEUE_LIMITS.mostTurns]
      const reply = await runScript(deps.redis, ACCEPT, where, [...own, ...limits])
      const [outcome, ...early] = Array.isArray(reply) ? reply.map(String) : []
      // Held replies are noted in `runs` only now, when the mention shows that they are for Clew. Most held replies turn out not
      // to be for Clew.
      for (const payload of early) {
        const held = readAccepted(stateKey, thread, payload)
        if (held !== undefined) await deps.runs.note(held, NEVER)
      }
      if (outcome === 'ignored') return { outcome }
      if (outcome === 'one_too_many') deps.logger.warn({ thread }, 'too many messages in a thread; the next are ignored')
      await deps.queue
        .wake(thread, { asker: askerName(message.place, message.author), afterActive: true })
        .catch((error: unknown) => {
          // The message is safe even if this fails: workers regularly wake every thread in the index.
          deps.logger.warn({ thread, error: errorMessage(error) }, 'thread not woken at acceptance')
        })
      if (outcome === 'duplicate') return { outcome }
      return { outcome: 'accepted', accepted: outcome === 'one_too_many' ? oneTooMany : accepted }
    },
  }
  return {
    accept: message => {
      const attributes = { 'messaging.system': message.place.platform, 'messaging.message.id': message.messageId }
      // Most messages of a channel are not for Clew, and Slack sends each mention twice.
      const isKept = ({ outcome }: Acceptance) => outcome === 'accepted'
      return inSpan('accept message', { kind: 'producer', attributes, isKept }, () => acceptor.accept(message))
    },
  }
}
