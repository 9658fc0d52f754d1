import { randomUUID } from 'node:crypto'
import type { AccessDecision } from '../access/decision.ts'
import type { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import type { RunResult } from '../agent/run/result.ts'
import type { ChatMessage } from '../chat/event.ts'
import { unpackJson } from '../history/packed-json.ts'
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
import type { RedisClient } from '../store/redis/client.ts'
import type { StateStore } from '../store/state-store.ts'
import { HTTP_PLATFORM, placeOf } from './place.ts'
import { Problem } from './problem.ts'
import { forgetTurn, listTurns, noteTurn } from './thread-turns.ts'
import type { Token } from './tokens.ts'
import { readOutcome, type Turn, type TurnOutcome, type TurnSummary } from './turn.ts'
import type { EventsOf, StoredEvent, TurnEvents } from './turn-events.ts'
import { takeTurn } from './turn-rate.ts'

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
export interface StoredTurn extends Omit<Turn, 'result'> {
  readonly stored: TurnOutcome['result']
}

export type TurnTrace = readonly Omit<RunLogEntry, 'fingerprint'>[]

/**
 * Asks questions through the queue, as a chat does. Workers answer them, whether or not anybody waits. Methods throw Problem, and
 * StoreError if Redis is away.
 */
export interface TurnClient {
  /** Starts a turn. The same key, or a choice for the same question, gives the same turn. */
  submit(caller: Caller, turn: NewTurn, signal: AbortSignal): Promise<StoredTurn>
  find(caller: Caller, id: string, signal: AbortSignal): Promise<StoredTurn>
  /** Reads the result of a turn that the caller has found, in compressed form. Null if there is none. */
  packed(turn: StoredTurn, signal: AbortSignal): Promise<string | null>
  /** Returns the latest turns of a thread, in order. Leaves out those made under other rights. */
  thread(caller: Caller, id: string, signal: AbortSignal): Promise<readonly TurnSummary[]>
  trace(caller: Caller, runId: string, signal: AbortSignal): Promise<TurnTrace>
  /** Stops a turn. Does nothing if the turn is over. */
  stop(caller: Caller, id: string, signal: AbortSignal): Promise<StoredTurn>
  /**
   * Yields a turn's events after the one with the id `after`, until its end; undefined after each silence. `answer`, `question` and
   * `error` stand for the turn.
   * @returns undefined if no event comes any more
   */
  follow(
    caller: Caller,
    id: string,
    after: string,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StoredEvent | undefined> | undefined>
}

/** The id before which no event has one. */
export const FIRST_EVENT = '0-0'

export interface TurnClientDeps {
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

export function createTurnClient(deps: TurnClientDeps): TurnClient {
  const { redis, runs, events } = deps
  let accepted = 0

  /** Orders the turns of this process that come within a millisecond. */
  function orderOf(now: number): number {
    accepted = (accepted + 1) % 1000
    return now * 1000 + accepted
  }

  async function owned({ token, access }: Caller, id: string, signal: AbortSignal): Promise<AcceptedMessage> {
    const found = await runs.find(id, signal)
    const { platform, channel } = found?.message.place ?? {}
    if (found === undefined || platform !== HTTP_PLATFORM || channel !== token.id) throw Problem.unknown()
    return { ...found, access }
  }

  /** @throws Problem if the turn was answered under other rights than the caller has now */
  async function outcome({ message, runId, access }: EventsOf, signal: AbortSignal): Promise<TurnOutcome | undefined> {
    const ledger = createRunLedger(redis, { thread: threadName(message.place), runId, fence: undefined })
    const final = await ledger.final(signal)
    if (final === undefined) return undefined
    if (final.rights !== rightsOf(access)) throw Problem.accessChanged()
    return readOutcome(final)
  }

  async function summary(turn: EventsOf, ended: TurnOutcome | undefined, signal: AbortSignal): Promise<TurnSummary> {
    const { message, runId: id } = turn
    const { status, run_id, answer, error } = ended ?? {
      status: (await events.hasBegun(turn, signal)) ? 'running' : 'queued',
      run_id: null,
      answer: null,
      error: null,
    }
    return { id, thread: message.place.thread, status, text: message.text, run_id, answer, error } as const
  }

  async function whole(turn: EventsOf, signal: AbortSignal): Promise<StoredTurn> {
    const ended = await outcome(turn, signal)
    const { answer: _, ...common } = await summary(turn, ended, signal)
    return { ...common, stored: ended?.result ?? null }
  }

  /** Returns the message that a press on the choice's button would be. */
  async function chosen(
    caller: Caller,
    { turn, index }: { readonly turn: string; readonly index: number },
    signal: AbortSignal,
  ): Promise<Pick<ChatMessage, 'messageId' | 'place' | 'text' | 'resumes'>> {
    const asked = await owned(caller, turn, signal)
    await outcome(asked, signal)
    const { place } = asked.message
    const question = await deps.questions.find(threadName(place), turn, signal)
    const choice = question?.choices[index]
    if (choice === undefined) throw new Problem(404, 'no_such_choice', 'The turn asks nothing that has this choice.')
    const by = `${choiceMessageId(turn)}-${index}`
    const closing = await deps.questions.close(threadName(place), turn, { by, choice: index }, signal)
    if (closing.by !== by) throw new Problem(409, 'answered_already', 'The question has been answered already.')
    const resumes = { action: 'choose', runId: turn, choice: index } as const
    return { messageId: choiceMessageId(turn), place, text: choice.label, resumes }
  }

  function asked(caller: Caller, { text, key }: { text: string; key?: string | undefined }, thread: string | undefined) {
    const messageId = key === undefined ? `turn-${randomUUID()}` : `key-${key}`
    const { id } = caller.token
    // The name of a new thread follows from the message, so a request that is sent again gets the same thread.
    const name = thread ?? `thr_${runs.idOf({ messageId, place: placeOf(id, '-') }).slice('run_'.length)}`
    return { messageId, place: placeOf(id, name), text }
  }

  return {
    async submit(caller, { thread, asks }, signal) {
      const { token, access } = caller
      const own = 'text' in asks ? asked(caller, asks, thread) : await chosen(caller, asks, signal)
      if (thread !== undefined && thread !== own.place.thread)
        throw new Problem(422, 'other_thread', 'The question of this choice is in another thread.')
      const runId = runs.idOf(own)
      const waitMs = await takeTurn(redis, token, runId, signal)
      if (waitMs > 0) throw Problem.tooManyTurns(token.rate, waitMs)
      const now = deps.now()
      const message: ChatMessage = { ...own, order: orderOf(now), author: token.id, addressed: true }
      // The first message of this id stays. So two requests with the same key at the same time are one turn, or one of them fails.
      await runs.note({ message, runId, acceptedAt: now }, signal)
      const first = await owned(caller, runId, signal)
      if (first.message.text !== own.text || first.message.place.thread !== own.place.thread)
        throw new Problem(422, 'key_used', 'This Idempotency-Key was used for another turn.')
      if ((await outcome(first, signal)) !== undefined) return whole(first, signal)
      await noteTurn(redis, first, deps.retentionMs, signal)
      const { outcome: how } = await deps.acceptor.accept(first.message)
      if (how === 'ignored') {
        await forgetTurn(redis, first, signal)
        const sentence = `A thread has at most ${QUEUE_LIMITS.mostTurns} turns in ten minutes. Take another thread.`
        throw Problem.busy('thread_full', sentence, QUEUE_LIMITS.turnsMs)
      }
      return whole({ message: first.message, runId, access }, signal)
    },

    async find(caller, id, signal) {
      return whole(await owned(caller, id, signal), signal)
    },

    async packed({ stored }, signal) {
      return stored === null ? null : ((await deps.store.get(stored.key, signal)) ?? null)
    },

    async thread({ token, access }, name, signal) {
      const found: TurnSummary[] = []
      const ids = await listTurns(redis, placeOf(token.id, name), signal)
      if (ids.length === 0) throw Problem.unknown()
      for (const id of ids) {
        const turn = await runs.find(id, signal)
        if (turn === undefined) continue
        const own = { ...turn, access }
        const ended = await outcome(own, signal).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error
          return 'hidden' as const
        })
        if (ended !== 'hidden') found.push(await summary(own, ended, signal))
      }
      return found
    },

    async trace(caller, runId, signal) {
      await outcome(await owned(caller, runId, signal), signal)
      const entries = await readRunLog(runId, deps.store, signal)
      return entries.map(({ fingerprint: _, ...entry }) => entry)
    },

    async stop(caller, id, signal) {
      const turn = await owned(caller, id, signal)
      if ((await outcome(turn, signal)) === undefined) await deps.cancellation.request(id, STOPPED, signal)
      return whole(turn, signal)
    },

    async follow(caller, id, after, signal) {
      const turn = await owned(caller, id, signal)
      await outcome(turn, signal)
      if (await events.isOver(turn, after, signal)) return undefined
      return events.follow(turn, { after, watcher: deps.watcher }, signal)
    },
  }
}

/** Waits for the end of a turn, and returns it. */
export async function awaitTurn(
  client: Pick<TurnClient, 'find' | 'follow' | 'packed'>,
  caller: Caller,
  id: string,
  { onEvent, signal }: { readonly onEvent?: (event: StoredEvent) => void; readonly signal: AbortSignal },
): Promise<Turn> {
  for await (const event of (await client.follow(caller, id, FIRST_EVENT, signal)) ?? []) {
    if (event !== undefined) onEvent?.(event)
  }
  const { stored, ...turn } = await client.find(caller, id, signal)
  const packed = await client.packed({ ...turn, stored }, signal)
  return { ...turn, result: packed === null ? null : ((await unpackJson(packed)) as RunResult) }
}
