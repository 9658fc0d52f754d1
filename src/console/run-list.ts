import type { Analyst } from '../agent/analyst.ts'
import type { RunResult } from '../agent/run/result.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { type Subject, subjectAtHand } from '../base/watched-work.ts'
import { type RunRecords, recordOf } from '../bots/actions/run-record.ts'
import type { ChatMessage } from '../chat/event.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { askerName } from '../queue/asker.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import type { AnswerMessage } from '../queue/drain/answer-message.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import type { ObservationOf, Observe } from '../telemetry/observation.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { CHANGES, LINES, openLine, type StoredLine, signLine, storedLineSchema } from './run-line.ts'

// Writes a line, and removes the lines that are too old or too many. The times of changes grow, so that a reader misses none.
const WRITE = redisScript(`
  local lines, changes = KEYS[1], KEYS[2]
  local id, line, lifeMs, most = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local latest = redis.call('ZRANGE', changes, -1, -1, 'WITHSCORES')
  redis.call('ZADD', changes, math.max(now, (tonumber(latest[2]) or 0) + 1), id)
  redis.call('HSET', lines, id, line)
  local old = redis.call('ZRANGE', changes, '-inf', now - lifeMs * 1000, 'BYSCORE', 'LIMIT', 0, 100)
  local over = redis.call('ZCARD', changes) - most
  if #old == 0 and over > 0 then old = redis.call('ZRANGE', changes, 0, over - 1) end
  if #old == 0 then return end
  redis.call('HDEL', lines, unpack(old))
  redis.call('ZREM', changes, unpack(old))
`)

type Asked = Pick<AcceptedMessage, 'runId' | 'acceptedAt' | 'access'> & {
  readonly message: Pick<ChatMessage, 'place' | 'author' | 'text' | 'isPrivate'>
}

interface RunListDeps {
  readonly redis: RedisClient
  readonly records: Pick<RunRecords, 'save'>
  /** Lines are kept this long. */
  readonly retentionSeconds: number
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/**
 * Writes the list of runs for the console: a line when a run begins, and again when it ends. An answer neither waits for its line
 * nor fails because of it.
 */
export class RunList {
  readonly #deps: RunListDeps
  /** The runs of this process that have not ended. */
  readonly #running = new Map<string, StoredLine>()
  readonly #writing = new Set<Promise<void>>()

  constructor(deps: RunListDeps) {
    this.#deps = deps
  }

  /** Wraps the answering of messages. */
  answering(answer: AnswerMessage): AnswerMessage {
    return async (accepted, context, signal) => {
      this.#begin(lineOf(accepted))
      const reply = await answer(accepted, context, signal)
      if (reply?.kind === 'answer' && reply.result !== undefined) this.#note(accepted.runId, reply.result)
      return reply
    }
  }

  /**
   * Wraps an analyst that answers without a queue, as work for the person at hand. The answer is recorded for that person alone,
   * after it was shown.
   */
  listed(analyst: Pick<Analyst, 'ask'>): Pick<Analyst, 'ask'> {
    return {
      ask: async (question, signal) => {
        const { runId, text, thread, askedAt: acceptedAt, access } = question
        const { person = '', place: { platform } = { platform: '' } } = subjectAtHand()
        const place = { platform, workspace: platform, channel: platform, thread: thread || runId, isDirect: true }
        const message = { place, author: person, text }
        const granted = { kind: 'granted', person, roles: [], mayPublish: false, isPrivate: true } as const
        const asked = { message, runId, acceptedAt, access: { ...granted, ...(access && { access }) } }
        this.#begin({ ...lineOf(asked), channel: '' })
        const answer = await analyst.ask(question, signal)
        const { result } = answer
        this.#note(runId, result)
        return {
          ...answer,
          afterwards: async own => {
            await answer.afterwards(own)
            await this.#deps.records.save(recordOf(asked, result, this.#deps.now()), result.queries, own)
          },
        }
      },
    }
  }

  /** Adds up what runs take, and ends their lines. */
  readonly observe: Observe = observation => {
    const subject = subjectAtHand()
    const { run = '' } = subject
    const line = this.#running.get(run)
    if (observation.kind === 'answer') {
      this.#running.delete(run)
      this.#later(this.#end(line, subject, observation))
    } else if (line !== undefined && observation.kind === 'model_call') {
      const { inputTokens, outputTokens, cost } = observation
      line.model_calls += 1
      line.tokens_in += inputTokens
      line.tokens_out += outputTokens
      line.cost = line.cost === null || cost === undefined ? null : line.cost + cost
    } else if (line !== undefined && observation.kind === 'step' && isQuery(observation)) {
      line.queries += 1
      line.longest_query_ms = Math.max(line.longest_query_ms ?? 0, Math.round(observation.durationMs))
      if (observation.error !== undefined) line.failed_queries += 1
    }
  }

  /** Waits until all lines are written. */
  async close(): Promise<void> {
    await Promise.all(this.#writing)
  }

  #begin(line: StoredLine): void {
    this.#running.set(line.id, line)
    this.#later(this.#write(line))
  }

  #later(work: Promise<void>): void {
    this.#writing.add(work)
    void work.finally(() => this.#writing.delete(work))
  }

  #note(id: string, { run_id, intent, confidence, queries, steps }: RunResult): void {
    const line = this.#running.get(id)
    if (line === undefined) return
    const sources = [...new Set(queries.flatMap(({ source }) => source ?? []))]
    // A recorded model makes no calls, but its steps count.
    const model_calls = Math.max(line.model_calls, steps.filter(({ model }) => model !== null).length)
    const failed = queries.filter(({ error }) => error !== null).length
    Object.assign(line, {
      ...{ model_calls, run: run_id, kind: intent, confidence, sources },
      // The query of a source that is away never runs.
      ...{ queries: Math.max(line.queries, queries.length), failed_queries: Math.max(line.failed_queries, failed) },
      ...(failed > 0 && { outcome: 'partly_answered' }),
    } satisfies Partial<StoredLine>)
  }

  /** @param begun undefined if this process did not begin the run, as after a crash; then its line is read */
  async #end(begun: StoredLine | undefined, subject: Subject, answer: ObservationOf<'answer'>): Promise<void> {
    const { run = '' } = subject
    if (run === '') return
    const line = begun ?? (await this.#read(run)) ?? newLine(run, subject, this.#deps.now() - answer.durationMs)
    const { outcome, error = null, durationMs: ms } = answer
    const isPart = outcome === 'answered' && line.outcome === 'partly_answered'
    await this.#write({ ...line, outcome: isPart ? line.outcome : outcome, error, ms })
  }

  async #read(id: string): Promise<StoredLine | undefined> {
    const { redis } = this.#deps
    const signal = AbortSignal.timeout(CONSOLE_LIMITS.requestMs)
    const signed = await callRedis(redis.hget(LINES, id), signal).catch(() => null)
    return signed === null ? undefined : openLine(redis.stateKey, id, signed)
  }

  async #write(line: StoredLine): Promise<void> {
    const { redis, retentionSeconds, logger } = this.#deps
    const values = [line.id, signLine(redis.stateKey, line), retentionSeconds * 1000, CONSOLE_LIMITS.runs]
    await runScript(redis, WRITE, [LINES, CHANGES], values).catch((error: unknown) =>
      logger.warn({ run: line.id, error: errorMessage(error) }, 'a run was not written to the list of runs'),
    )
  }
}

/** An investigation runs its queries as tools. */
function isQuery({ step, query = '' }: ObservationOf<'step'>): boolean {
  return step === 'execute' || query.startsWith('query_table')
}

function lineOf({ message, runId, acceptedAt, access }: Asked): StoredLine {
  const { place, author, text, isPrivate = false } = message
  const granted = access?.kind === 'granted' ? access : undefined
  return newLine(runId, { person: granted?.person ?? askerName(place, author), place }, acceptedAt, {
    thread: place.thread,
    question: text,
    isOpen: !place.isDirect && !isPrivate && granted?.isPrivate !== true,
    rights: rightsOf(access) ?? null,
  })
}

function newLine(id: string, { person, place }: Subject, at: number, more: Partial<StoredLine> = {}): StoredLine {
  const { platform, channel } = place ?? {}
  return storedLineSchema.parse({ id, run: id, at, person, platform, channel, ...more })
}
