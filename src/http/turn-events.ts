import { createHash } from 'node:crypto'
import { z } from 'zod'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { parseJson } from '../base/text/parse-json.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import type { RecordWatcher } from '../queue/record-watcher.ts'
import { threadKeys, threadName } from '../queue/thread-keys.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import { openSigned, signText } from '../store/signed-text.ts'
import { HTTP_LIMITS } from './limits.ts'
import { outcomeSchema, type TurnOutcome } from './turn.ts'

/**
 * The events of a turn, with their data. `sentences` is the whole answer so far, and replaces an earlier one. `answer`, `question`
 * and `error` stand for the finished turn, which the reader adds. `end` is always the last one.
 */
export const EVENT_DATA = {
  start: z.null(),
  /** A data question of the plan. Its question is null if the plan has dropped it. */
  plan: z.object({ query: z.string(), question: z.string().nullable() }),
  query: z.object({ query: z.string(), question: z.string(), ok: z.boolean(), row_count: z.number(), elapsed_ms: z.number() }),
  rows: z.object({ query: z.string(), markdown: z.string() }),
  sentences: z.object({ markdown: z.string() }),
  /** Something that delays the answer. `is_over`: it no longer does. */
  notice: z.object({ notice: z.literal('model_busy'), is_over: z.boolean() }),
  answer: z.null(),
  question: z.null(),
  error: z.null(),
  end: z.object({ status: outcomeSchema.shape.status }),
} as const
type EventKind = keyof typeof EVENT_DATA
export type TurnEvent = {
  readonly [Kind in EventKind]: { readonly kind: Kind; readonly data: z.infer<(typeof EVENT_DATA)[Kind]> }
}[EventKind]
/** An event with its id in the stream of Redis. Ids grow. */
export type StoredEvent = TurnEvent & { readonly id: string }

const eventSchema = z.union(
  Object.entries(EVENT_DATA).map(([kind, data]) => z.object({ kind: z.literal(kind), data })),
) as unknown as z.ZodType<TurnEvent>

/** The event that stands for a finished turn, by its status. */
const TURN_EVENTS = { answered: 'answer', asked: 'question', failed: 'error', stopped: 'error' } as const

/** Whether an event stands for the finished turn. */
export function isTurn({ kind }: Pick<TurnEvent, 'kind'>): boolean {
  return Object.values<EventKind>(TURN_EVENTS).includes(kind)
}

/** The turn whose events are meant. Events of other rights are apart, so that nobody reads what the rules now hide. */
export type EventsOf = Pick<AcceptedMessage, 'message' | 'runId' | 'access'>

export type TurnEventWriter = ReturnType<TurnEvents['writer']>

// A run that is resumed after a crash repeats its events. An event with the same content is not added again, and nothing follows
// the end.
const ADD = redisScript(`
  local stream, known, run = KEYS[1], KEYS[2], KEYS[3]
  local digest, event, kind, life, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
  if redis.call('SISMEMBER', known, 'end') == 1 then return end
  if most > 0 and redis.call('XLEN', stream) >= most then return end
  if redis.call('SADD', known, kind == 'end' and kind or digest) == 0 then return end
  redis.call('XADD', stream, '*', 'event', event)
  redis.call('PEXPIRE', stream, life)
  redis.call('PEXPIRE', known, life)
  if kind == 'end' then redis.call('PEXPIRE', run, life) end
  redis.call('PUBLISH', stream, kind)
`)

/** The events of turns, in one Redis stream for each turn. Methods throw StoreError. */
export class TurnEvents {
  readonly #redis: RedisClient
  readonly #retentionMs: number
  readonly #logger: Logger

  constructor(deps: { readonly redis: RedisClient; readonly retentionMs: number; readonly logger: Logger }) {
    this.#redis = deps.redis
    this.#retentionMs = deps.retentionMs
    this.#logger = deps.logger
  }

  /** Adds the events of one turn, in order. Never throws: an answer does not fail because of its events. */
  writer(turn: EventsOf) {
    let written = Promise.resolve()
    let grown: (() => string) | undefined
    const after = (work: () => Promise<void>) => {
      written = written.then(work).catch((error: unknown) => {
        this.#logger.warn({ run: turn.runId, error: errorMessage(error) }, 'an event of a turn was not written')
      })
    }
    const { signal } = new AbortController()
    return {
      add: (event: TurnEvent) => after(() => this.#add(turn, event, signal)),
      /** Adds the text of the answer so far. If texts come faster than Redis takes them, only the latest is read and added. */
      grow: (read: () => string) => {
        const isQueued = grown !== undefined
        grown = read
        if (isQueued) return
        after(async () => {
          const markdown = grown?.() ?? ''
          grown = undefined
          await this.#add(turn, { kind: 'sentences', data: { markdown } }, signal)
        })
      },
      flushed: () => written,
    }
  }

  /** Ends a turn's events. Its final reply is then kept as long as they are. */
  async end(turn: EventsOf, status: TurnOutcome['status'], signal: AbortSignal): Promise<void> {
    await this.#add(turn, { kind: TURN_EVENTS[status], data: null }, signal)
    await this.#add(turn, { kind: 'end', data: { status } }, signal)
  }

  /** Whether a worker has begun the turn. */
  async hasBegun(turn: EventsOf, signal: AbortSignal): Promise<boolean> {
    return (await callRedis(this.#redis.exists(keysOf(turn).stream), signal)) > 0
  }

  /** Whether the turn has ended, and no event comes after the one with this id. */
  async isOver(turn: EventsOf, after: string, signal: AbortSignal): Promise<boolean> {
    const isEnded = (await callRedis(this.#redis.sismember(keysOf(turn).known, 'end'), signal)) === 1
    return isEnded && (await this.#after(turn, after, signal)).length === 0
  }

  /**
   * Yields the events after the one with this id, as they come, until the end. Yields undefined after each silence of
   * `HTTP_LIMITS.heartbeatMs`.
   * @param watcher shares one connection among all readers
   */
  async *follow(
    turn: EventsOf,
    { after, watcher }: { readonly after: string; readonly watcher: RecordWatcher },
    signal: AbortSignal,
  ): AsyncGenerator<StoredEvent | undefined, void> {
    for (let last = after; ; ) {
      let found = await this.#after(turn, last, signal)
      if (found.length === 0) {
        const look = async () => {
          found = await this.#after(turn, last, signal)
          return found.length > 0
        }
        await watcher.wait(keysOf(turn).stream, { timeoutMs: HTTP_LIMITS.heartbeatMs, look }, signal)
        if (found.length === 0 && !(await look())) {
          // A reader may have named an id that is later than all events. It still hears of the end.
          if (!(await this.isOver(turn, last, signal))) yield undefined
          else found = await this.#read(turn, this.#redis.xrevrange(keysOf(turn).stream, '+', '-', 'COUNT', 1), signal)
        }
      }
      for (const { id, event } of found) {
        last = id
        if (event !== undefined) yield { ...event, id }
        if (event?.kind === 'end') return
      }
    }
  }

  async #add(turn: EventsOf, event: TurnEvent, signal: AbortSignal): Promise<void> {
    const { stream, known, run } = keysOf(turn)
    const text = JSON.stringify(event)
    const digest = createHash('sha256').update(text).digest('base64url')
    const most = event.kind === 'end' || isTurn(event) ? 0 : HTTP_LIMITS.events
    const values = [digest, signText(this.#redis.stateKey, stream, text), event.kind, this.#retentionMs, most]
    await abortable(runScript(this.#redis, ADD, [stream, known, run], values), signal)
  }

  #after(turn: EventsOf, last: string, signal: AbortSignal) {
    return this.#read(turn, this.#redis.xrange(keysOf(turn).stream, `(${last}`, '+', 'COUNT', HTTP_LIMITS.eventPage), signal)
  }

  /** Reads entries of the stream. `event` is absent if Clew did not write it. */
  async #read(turn: EventsOf, reading: ReturnType<RedisClient['xrange']>, signal: AbortSignal) {
    const { stream } = keysOf(turn)
    return (await callRedis(reading, signal)).map(([id, [, signed = '']]) => {
      const text = openSigned(this.#redis.stateKey, stream, signed) ?? ''
      return { id, event: eventSchema.safeParse(parseJson(text)).data }
    })
  }
}

function keysOf({ message, runId, access }: EventsOf) {
  const run = threadKeys(threadName(message.place)).run(runId)
  const stream = `${run}:events:${rightsOf(access) ?? 'all'}`
  return { run, stream, known: `${stream}:known` }
}
