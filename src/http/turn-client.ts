import { randomUUID } from 'node:crypto'
import type { AccessDecision } from '../access/decision.ts'
import type { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import type { ChatPlace } from '../chat/event.ts'
import { type RunLogEntry, readRunLog } from '../history/run-log-entry.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import type { AcceptedRuns } from '../queue/accept/accepted-runs.ts'
import type { Acceptor } from '../queue/accept/acceptor.ts'
import { choiceMessageId } from '../queue/accept/question-deletion.ts'
import { rightsOf } from '../queue/deliver/reply-rights.ts'
import { createRunLedger } from '../queue/deliver/run-ledger.ts'
import { QUEUE_LIMITS } from '../queue/limits.ts'
import type { RecordWatcher } from '../queue/record-watcher.ts'
import type { RunCancellation } from '../queue/run-cancellation.ts'
import { STOPPED } from '../queue/run-cancellation.ts'
import { threadName } from '../queue/thread-keys.ts'
import { counterKey, countUse } from '../queue/usage/counters.ts'
import { abortable } from '../store/abortable.ts'
import { callRedis } from '../store/redis/call-redis.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisScript, runScript } from '../store/redis/script.ts'
import type { StateStore } from '../store/state-store.ts'
import { HTTP_LIMITS } from './limits.ts'
import { HTTP_PLATFORM, placeOf } from './place.ts'
import { Problem } from './problem.ts'
import type { Token } from './tokens.ts'
import { outcomeSchema, type TurnOutcome, type TurnSummary } from './turn.ts'
import type { EventsOf, StoredEvent, TurnEvents } from './turn-events.ts'

/** Who sends a request: the token, and what it may read now. */
export interface Caller {
  readonly token: Token
  readonly access: Extract<AccessDecision, { kind: 'granted' }>
}

/** A question in a thread, or a choice below a question back. */
export interface NewTurn {
  /** Default: a new thread; for a choice, the thread of the question. */
  readonly thread?: string | undefined
  readonly asks: { readonly text: string; readonly key?: string | undefined } | { readonly turn: string; readonly index: number }
}

/** A turn, and where its result is, because results may be large. */
export interface StoredTurn extends TurnSummary {
  readonly stored: TurnOutcome['result']
}

/** The id before which no event has one. */
export const FIRST_EVENT = '0-0'

// Adds a turn to the list of its thread.
const LIST_TURN = redisScript(`
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
  redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
`)

interface TurnClientDeps {
  readonly redis: RedisClient
  readonly store: StateStore
  readonly acceptor: Acceptor
  readonly runs: AcceptedRuns
  readonly questions: Pick<OpenQuestions, 'find' | 'close'>
  readonly cancellation: Pick<RunCancellation, 'request'>
  readonly watcher: RecordWatcher
  readonly events: TurnEvents
  readonly retentionMs: number
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/**
 * Asks questions through the queue, as a chat does. Workers answer them, whether or not anybody waits. Methods throw Problem, and
 * StoreError if Redis is away.
 */
export class TurnClient {
  readonly #deps: TurnClientDeps
  #accepted = 0

  constructor(deps: TurnClientDeps) {
    this.#deps = deps
  }

  /** Starts a turn. The same key, or a choice for the same question, gives the same turn. */
  async submit(caller: Caller, { thread, asks }: NewTurn, signal: AbortSignal): Promise<StoredTurn> {
    const { redis, runs, retentionMs, acceptor } = this.#deps
    const { token, access } = caller
    const own = 'text' in asks ? this.#asked(caller, asks, thread) : await this.#chosen(caller, asks, signal)
    if (thread !== undefined && thread !== own.place.thread)
      throw new Problem(422, 'other_thread', 'The question of this choice is in another thread.')
    const runId = runs.idOf(own)
    await this.count(caller, runId, signal)
    const now = this.#deps.now()
    // The turns of this process that come within a millisecond stay in order.
    this.#accepted = (this.#accepted + 1) % 1000
    const message = { ...own, order: now * 1000 + this.#accepted, author: token.id, addressed: true }
    // The first message of this id stays. So two requests with the same key at the same time are one turn, or one of them fails.
    await runs.note({ message, runId, acceptedAt: now }, signal)
    const first = await this.#owned(caller, runId, signal)
    if (first.message.text !== own.text || first.message.place.thread !== own.place.thread)
      throw new Problem(422, 'key_used', 'This Idempotency-Key was used for another turn.')
    if ((await this.#outcome(first, signal)) !== undefined) return this.#stored(first, signal)
    const listed = [first.message.order, runId, HTTP_LIMITS.turnsOfThread, retentionMs]
    await abortable(runScript(redis, LIST_TURN, [listOf(own.place)], listed), signal)
    const { outcome } = await acceptor.accept(first.message)
    if (outcome === 'ignored') {
      await callRedis(redis.zrem(listOf(own.place), runId), signal)
      const sentence = `A thread has at most ${QUEUE_LIMITS.mostTurns} turns in ten minutes. Take another thread.`
      throw Problem.busy('thread_full', sentence, QUEUE_LIMITS.turnsMs)
    }
    return this.#stored({ message: first.message, runId, access }, signal)
  }

  /**
   * Counts a turn, or what else counts as one. What is counted again counts once.
   * @throws Problem if the token may start no turn now
   */
  async count({ token: { id, rate } }: Caller, turn: string, signal: AbortSignal): Promise<void> {
    const key = counterKey(HTTP_LIMITS.rateMs, 'token', id)
    const counters = [{ key, livesMs: HTTP_LIMITS.rateMs, by: { turns: 1 } }]
    const bounds = [{ keys: [key], of: 'turns', limit: rate }]
    const use = { what: 'take', id: `turn ${turn}`, counters, bounds } as const
    const { refusedBy, livesMs } = await countUse(this.#deps.redis, use, signal)
    const [waitMs = 0] = livesMs
    if (refusedBy >= 0) throw Problem.busy('too_many_turns', `This token may start ${rate} turns a minute.`, waitMs)
  }

  async find(caller: Caller, id: string, signal: AbortSignal): Promise<StoredTurn> {
    return this.#stored(await this.#owned(caller, id, signal), signal)
  }

  /** Reads the result of a turn that the caller has found, in compressed form. Null if there is none. */
  async packed(stored: { readonly key: string } | null, signal: AbortSignal): Promise<string | null> {
    return stored === null ? null : ((await this.#deps.store.get(stored.key, signal)) ?? null)
  }

  /** Returns the latest turns of a thread, in order. Leaves out those made under other rights. */
  async thread({ token, access }: Caller, name: string, signal: AbortSignal): Promise<readonly TurnSummary[]> {
    const ids = await callRedis(this.#deps.redis.zrange(listOf(placeOf(token.id, name)), '0', '-1'), signal)
    if (ids.length === 0) throw Problem.unknown()
    const found: TurnSummary[] = []
    for (const id of ids) {
      const turn = await this.#deps.runs.find(id, signal)
      const shown = turn && (await this.#stored({ ...turn, access }, signal).catch(ignoreProblem))
      if (shown === undefined) continue
      const { stored: _, ...summary } = shown
      found.push(summary)
    }
    return found
  }

  async trace(caller: Caller, runId: string, signal: AbortSignal): Promise<readonly Omit<RunLogEntry, 'fingerprint'>[]> {
    await this.#outcome(await this.#owned(caller, runId, signal), signal)
    const entries = await readRunLog(runId, this.#deps.store, signal)
    return entries.map(({ fingerprint: _, ...entry }) => entry)
  }

  /** Stops a turn. Does nothing if the turn is over. */
  async stop(caller: Caller, id: string, signal: AbortSignal): Promise<StoredTurn> {
    const turn = await this.#owned(caller, id, signal)
    if ((await this.#outcome(turn, signal)) === undefined) await this.#deps.cancellation.request(id, STOPPED, signal)
    return this.#stored(turn, signal)
  }

  /**
   * Yields a turn's events after the one with the id `after`, until its end; undefined after each silence. `answer`, `question` and
   * `error` stand for the turn.
   * @returns undefined if no event comes any more
   */
  async follow(
    caller: Caller,
    id: string,
    after: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StoredEvent | undefined> | undefined> {
    const { events, watcher } = this.#deps
    const turn = await this.#owned(caller, id, signal)
    await this.#outcome(turn, signal)
    return (await events.isOver(turn, after, signal)) ? undefined : events.follow(turn, { after, watcher }, signal)
  }

  async #owned({ token, access }: Caller, id: string, signal: AbortSignal): Promise<AcceptedMessage> {
    const found = await this.#deps.runs.find(id, signal)
    const { platform, channel } = found?.message.place ?? {}
    if (found === undefined || platform !== HTTP_PLATFORM || channel !== token.id) throw Problem.unknown()
    return { ...found, access }
  }

  /** @throws Problem if the turn was answered under other rights than the caller has now */
  async #outcome({ message, runId, access }: EventsOf, signal: AbortSignal): Promise<TurnOutcome | undefined> {
    const ledger = createRunLedger(this.#deps.redis, { thread: threadName(message.place), runId, fence: undefined })
    const final = await ledger.final(signal)
    if (final === undefined) return undefined
    if (final.rights !== rightsOf(access)) throw Problem.accessChanged()
    return outcomeSchema.parse(final.parts[0])
  }

  async #stored(turn: EventsOf, signal: AbortSignal): Promise<StoredTurn> {
    const { message, runId: id } = turn
    const common = { id, thread: message.place.thread, text: message.text }
    const outcome = await this.#outcome(turn, signal)
    if (outcome !== undefined) {
      const { result: stored, ...ended } = outcome
      return { ...common, ...ended, stored }
    }
    const status = (await this.#deps.events.hasBegun(turn, signal)) ? 'running' : 'queued'
    return { ...common, status, run_id: null, answer: null, error: null, stored: null }
  }

  /** Returns the message that a press on the choice's button would be. */
  async #chosen(caller: Caller, { turn, index }: { readonly turn: string; readonly index: number }, signal: AbortSignal) {
    const { questions } = this.#deps
    const asked = await this.#owned(caller, turn, signal)
    await this.#outcome(asked, signal)
    const { place } = asked.message
    const question = await questions.find(threadName(place), turn, signal)
    const choice = question?.choices[index]
    if (choice === undefined) throw new Problem(404, 'no_such_choice', 'The turn asks nothing that has this choice.')
    const by = `${choiceMessageId(turn)}-${index}`
    const closing = await questions.close(threadName(place), turn, { by, choice: index }, signal)
    if (closing.by !== by) throw new Problem(409, 'answered_already', 'The question has been answered already.')
    const resumes = { action: 'choose', runId: turn, choice: index } as const
    return { messageId: choiceMessageId(turn), place, text: choice.label, resumes }
  }

  #asked({ token: { id } }: Caller, { text, key }: { text: string; key?: string | undefined }, thread: string | undefined) {
    const messageId = key === undefined ? `turn-${randomUUID()}` : `key-${key}`
    // The name of a new thread follows from the message, so a request that is sent again gets the same thread.
    const name = thread ?? `thr_${this.#deps.runs.idOf({ messageId, place: placeOf(id, '-') }).slice('run_'.length)}`
    return { messageId, place: placeOf(id, name), text }
  }
}

/** Returns the key of the list of a thread's turns. */
function listOf(place: ChatPlace): string {
  return `clew:{${threadName(place)}}:turn-ids`
}

function ignoreProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}
