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

/**
 * The events of a turn. `sentences` is the whole answer so far, and replaces an earlier one. `answer`, `question` and `error`
 * stand for the finished turn, which the reader adds. `end` is always the last one.
 */
export const EVENT_KINDS = [
  'start',
  'plan',
  'query',
  'rows',
  'sentences',
  'notice',
  'answer',
  'question',
  'error',
  'end',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** The data of the events that a worker writes while it answers. */
export const EVENT_DATA = {
  /** A data question of the plan. Its question is null if the plan has dropped it. */
  plan: z.object({ query: z.string(), question: z.string().nullable() }),
  query: z.object({ query: z.string(), question: z.string(), ok: z.boolean(), row_count: z.number(), elapsed_ms: z.number() }),
  rows: z.object({ query: z.string(), markdown: z.string() }),
  sentences: z.object({ markdown: z.string() }),
  /** Something that delays the answer. `is_over`: it no longer does. */
  notice: z.object({ notice: z.literal('model_busy'), is_over: z.boolean() }),
} as const

const storedSchema = z.object({ kind: z.enum(EVENT_KINDS), data: z.unknown() })
export interface StoredEvent {
  /** The id in the stream of Redis. Ids grow. */
  readonly id: string
  readonly kind: EventKind
  readonly data: unknown
}

/** The turn whose events are meant. Events of other rights are apart, so that nobody reads what the rules now hide. */
export type EventsOf = Pick<AcceptedMessage, 'message' | 'runId' | 'access'>

/** Adds the events of one turn, in order. Never throws: an answer does not fail because of its events. */
export interface TurnEventWriter {
  add(kind: EventKind, data?: unknown): void
  /** Adds the text of the answer so far. If texts come faster than Redis takes them, only the latest is read and added. */
  grow(read: () => string): void
  flushed(): Promise<void>
}

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

  writer(turn: EventsOf): TurnEventWriter {
    let written = Promise.resolve()
    let grown: (() => string) | undefined
    const after = (work: () => Promise<void>) => {
      written = written.then(work).catch((error: unknown) => {
        this.#logger.warn({ run: turn.runId, error: errorMessage(error) }, 'an event of a turn was not written')
      })
    }
    const { signal } = new AbortController()
    return {
      add: (kind, data = null) => after(() => this.#add(turn, kind, data, signal)),
      grow: read => {
        const isQueued = grown !== undefined
        grown = read
        if (isQueued) return
        after(async () => {
          const markdown = grown?.()
          grown = undefined
          await this.#add(turn, 'sentences', { markdown }, signal)
        })
      },
      flushed: () => written,
    }
  }

  /** Ends a turn's events. Its final reply is then kept as long as they are. */
  async end(turn: EventsOf, kind: 'answer' | 'question' | 'error', data: unknown, signal: AbortSignal): Promise<void> {
    await this.#add(turn, kind, null, signal)
    await this.#add(turn, 'end', data, signal)
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
        if (found.length === 0 && !(await look())) yield undefined
      }
      for (const { id, stored } of found) {
        last = id
        if (stored !== undefined) yield { id, ...stored }
        if (stored?.kind === 'end') return
      }
    }
  }

  async #add(turn: EventsOf, kind: EventKind, data: unknown, signal: AbortSignal): Promise<void> {
    const { stream, known, run } = keysOf(turn)
    const text = JSON.stringify({ kind, data } satisfies z.infer<typeof storedSchema>)
    const digest = createHash('sha256').update(text).digest('base64url')
    const most = kind === 'end' || kind === 'answer' || kind === 'question' || kind === 'error' ? 0 : HTTP_LIMITS.events
    const values = [digest, signText(this.#redis.stateKey, stream, text), kind, this.#retentionMs, most]
    await abortable(runScript(this.#redis, ADD, [stream, known, run], values), signal)
  }

  /** Returns the entries after one. `stored` is absent if Clew did not write it. */
  async #after(turn: EventsOf, last: string, signal: AbortSignal) {
    const { stream } = keysOf(turn)
    const entries = await callRedis(this.#redis.xrange(stream, `(${last}`, '+', 'COUNT', HTTP_LIMITS.eventPage), signal)
    return entries.map(([id, [, signed = '']]) => {
      const text = openSigned(this.#redis.stateKey, stream, signed) ?? ''
      return { id, stored: storedSchema.safeParse(parseJson(text)).data }
    })
  }
}

function keysOf({ message, runId, access }: EventsOf) {
  const run = threadKeys(threadName(message.place)).run(runId)
  const stream = `${run}:events:${rightsOf(access) ?? 'all'}`
  return { run, stream, known: `${stream}:known` }
}
