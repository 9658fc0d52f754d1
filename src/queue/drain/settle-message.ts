import { isDeepStrictEqual } from 'node:util'
import { reportOf, withoutResult } from '../../agent/observed-analyst.ts'
import { describeRunError } from '../../agent/run/describe-run-error.ts'
import { RunError } from '../../agent/run/error.ts'
import { isTooLong } from '../../agent/run/question-size.ts'
import { ClewError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { asRun } from '../../base/watched-work.ts'
import { ChatError } from '../../chat/error.ts'
import type { ErrorReply, Progress, Reply } from '../../chat/reply.ts'
import { retryAction } from '../../chat/run-actions.ts'
import { abortable } from '../../store/abortable.ts'
import { StoreError } from '../../store/store-error.ts'
import type { Observation, Observe } from '../../telemetry/observation.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import type { Admission } from '../accept/admission.ts'
import { inOwnLanguage, placeholderLines } from '../accept/placeholder.ts'
import { askerName } from '../asker.ts'
import type { DeadLetters } from '../dead-letters.ts'
import type { Delivery } from '../deliver/delivery.ts'
import { ThreadMustWaitError } from '../deliver/outbox-call.ts'
import type { ReplyDestination } from '../deliver/reply-destination.ts'
import type { FinalReply, RunLedger } from '../deliver/run-ledger.ts'
import { FenceLostError } from '../fence-lost-error.ts'
import { DELIVERY_LIMITS, QUEUE_LIMITS } from '../limits.ts'
import { type CancelReason, type RunCancellation, RunCancelledError, STOPPED, untilCancelled } from '../run-cancellation.ts'
import type { DrainToken, MessageHead, ThreadMessages } from './thread-messages.ts'

export interface ReplyContext {
  /** Shows progress. Returns at once and never fails. `progress` reads the progress, and is called only before an edit. */
  progress(progress: () => Progress): void
  /** Sets the language of the conversation, once it is known. Until then, Clew uses the author's language setting. */
  speak(language: Language): void
  /** Returns the author's IANA time zone. Undefined if the platform does not tell the zone. */
  timeZone(signal: AbortSignal): Promise<string | undefined>
  /** Adds work to do between this reply and the thread's next message. If the work fails, the failure is only logged. */
  afterReply(work: (signal: AbortSignal) => Promise<void>): void
}

/**
 * Makes the final reply to a message. If the worker dies or stops, another call with the same run id continues the work. If it
 * throws, the author of the message is told. The signal aborts when this process no longer needs the reply.
 */
export type AnswerMessage = (accepted: AcceptedMessage, context: ReplyContext, signal: AbortSignal) => Promise<Reply>

type AfterReply = (signal: AbortSignal) => Promise<void>

/** Thrown when this worker stops. Another worker continues with the messages. */
export class DrainStoppedError extends ClewError {
  constructor() {
    super('The worker is stopping', { code: 'drain_stopped', retryable: true })
  }
}

export interface SettleMessageDeps {
  readonly messages: ThreadMessages
  readonly cancellation: Pick<RunCancellation, 'requested' | 'untilRequested'>
  readonly admission: Admission
  readonly answer: AnswerMessage
  /** Returns the message's platform. Undefined if this worker has no connection to it. */
  readonly destinationOf: (accepted: AcceptedMessage) => ReplyDestination | undefined
  readonly ledgerOf: (accepted: AcceptedMessage, token: DrainToken) => RunLedger
  readonly deadLetters: Pick<DeadLetters, 'keep'>
  readonly observe?: Observe | undefined
  readonly now: () => number
  readonly logger: Logger
}

/**
 * Answers a message, or explains the failure to its author, and removes the message from its thread. If even the explanation
 * fails, the message becomes a dead letter, so that it never blocks its thread.
 * @param signal aborts with DrainStoppedError or FenceLostError
 * @returns whether another message of the thread waits
 * @throws ThreadMustWaitError, DrainStoppedError, FenceLostError; StoreError if the thread's state cannot be stored; after an
 * error, the message stays in the thread
 */
export async function settleMessage(
  head: MessageHead,
  token: DrainToken,
  deps: SettleMessageDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const afterwards: AfterReply[] = []
  await handleHead(head, token, deps, afterwards, signal)
  const isMore = await deps.messages.finish(token, head.accepted.message.messageId, signal)
  for (const work of afterwards) {
    await work(signal).catch((error: unknown) =>
      deps.logger.warn({ thread: token.thread, error: errorMessage(error) }, 'work after a reply failed'),
    )
  }
  return isMore
}

/**
 * Answers the first message of a thread.
 * @throws if the work on the thread must stop; the message then stays first
 */
async function handleHead(
  head: MessageHead,
  token: DrainToken,
  deps: SettleMessageDeps,
  afterwards: AfterReply[],
  signal: AbortSignal,
): Promise<void> {
  const { accepted } = head
  const { messageId } = accepted.message
  const logger = deps.logger.child({ thread: token.thread, message: messageId, run: accepted.runId })
  try {
    await answerAndShow(head, token, deps, afterwards, logger, signal)
  } catch (error) {
    const reason = waitingForToken(signal.aborted ? signal.reason : error)
    if (reason instanceof FenceLostError) throw reason
    const isTooLate = reason instanceof ThreadMustWaitError && deps.now() - accepted.acceptedAt > DELIVERY_LIMITS.giveUpMs
    if (isTooLate || !staysAtHead(reason)) return endUndeliverable(head, token, reason, deps, logger)
    if (reason instanceof ThreadMustWaitError)
      logger.info({ waitMs: reason.waitMs, error: errorMessage(reason.cause) }, 'message delayed')
    // This call needs a signal of its own, because the signal of the work may already be aborted.
    await deps.messages.forgetStart(token, messageId, AbortSignal.timeout(DELIVERY_LIMITS.requestMs))
    throw reason
  }
}

/** Turns the error for a refused token into a wait, so that the message stays queued until an operator replaces the token. */
function waitingForToken(error: unknown): unknown {
  const isRefused = error instanceof ChatError && error.kind === 'authentication'
  return isRefused ? new ThreadMustWaitError(DELIVERY_LIMITS.tokenWaitMs, error) : error
}

/** Whether the message stays first in its thread and is tried again later. True if the message did not cause the failure. */
function staysAtHead(error: unknown): boolean {
  return error instanceof ThreadMustWaitError || error instanceof DrainStoppedError || error instanceof StoreError
}

/**
 * The language of the words that Clew adds. At first this is the author's language on the platform, and later the language of the
 * conversation.
 */
interface Spoken {
  language: Language
}

async function answerAndShow(
  head: MessageHead,
  token: DrainToken,
  deps: SettleMessageDeps,
  afterwards: AfterReply[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const admitted = await deps.admission.admit(head.accepted, signal)
  observeFor(admitted, deps, accessOf(admitted))
  const destination = deps.destinationOf(admitted)
  if (destination === undefined) {
    logger.error({ platform: admitted.message.place.platform }, 'no way to the platform of a message from this worker')
    throw new ThreadMustWaitError(DELIVERY_LIMITS.unavailableWaitMs, undefined)
  }
  const accepted = await inOwnLanguage(admitted, destination, signal)
  const spoken = { language: accepted.message.language ?? 'en' }
  const ledger = deps.ledgerOf(accepted, token)
  const delivery = destination.deliver({ accepted, language: () => spoken.language, ledger })
  try {
    const [saved, cancelled] = await Promise.all([
      head.crashes > 0 ? undefined : delivery.savedReply(signal),
      deps.cancellation.requested(accepted.runId, signal),
    ])
    const final =
      saved ??
      (await makeAndSave({ ...head, accepted, cancelled, destination, spoken }, delivery, deps, afterwards, logger, signal))
    afterwards.push(async own => {
      const copies = await delivery.removeCopies(own)
      if (copies > 0) logger.warn({ copies }, 'late duplicate posts removed')
    })
    if (final === undefined) return
    await delivery.showReply(final, signal)
    logger.info({ elapsedMs: deps.now() - accepted.acceptedAt }, 'message answered')
  } catch (error) {
    if (signal.aborted || !isUnshowable(error)) throw error
    logger.error({ error: errorMessage(error) }, 'reply could not be shown')
    const failure = errorReply(accepted, error, spoken)
    await delivery.showReply(await delivery.saveReply(failure, signal), signal)
  }
}

interface AdmittedHead extends MessageHead {
  readonly destination: ReplyDestination
  readonly spoken: Spoken
  /** The reason why the run was cancelled before its start. Undefined if it was not cancelled. */
  readonly cancelled: CancelReason | undefined
}

/** Makes and stores the reply. Undefined if the question was deleted. */
async function makeAndSave(
  head: AdmittedHead,
  delivery: Delivery,
  deps: SettleMessageDeps,
  afterwards: AfterReply[],
  logger: Logger,
  signal: AbortSignal,
): Promise<FinalReply | undefined> {
  const { accepted, spoken } = head
  const { runId } = accepted
  try {
    if (head.cancelled !== undefined) throw new RunCancelledError(head.cancelled)
    const make = (own: AbortSignal) => makeReply(head, delivery, deps, afterwards, logger, own)
    const reply = await untilCancelled(deps.cancellation, runId, make, signal)
    const final = await delivery.saveReply(reply, signal)
    observeFor(accepted, deps, answerOf(reply, deps.now() - accepted.acceptedAt))
    return final
  } catch (error) {
    if (signal.aborted || !(error instanceof RunCancelledError)) throw error
    logger.info({ reason: error.reason }, 'run cancelled')
    if (error.reason === 'stopped') {
      const stopped = { kind: 'error', code: STOPPED, sentence: chatWords(spoken.language).stopped } as const
      const final = await delivery.saveReply(withRetry(accepted, stopped, spoken), signal, { isQuiet: true })
      observeFor(accepted, deps, answerOf(stopped, deps.now() - accepted.acceptedAt))
      return final
    }
    await delivery.withdraw(signal)
    return undefined
  }
}

async function makeReply(
  { accepted, crashes, destination, spoken }: AdmittedHead,
  delivery: Delivery,
  deps: SettleMessageDeps,
  afterwards: AfterReply[],
  logger: Logger,
  signal: AbortSignal,
): Promise<Reply> {
  if (accepted.isOneTooMany === true)
    return {
      kind: 'error',
      code: 'thread_full',
      sentence: chatWords(spoken.language).oneTooMany(QUEUE_LIMITS.mostTurns, QUEUE_LIMITS.turnsMs / 60_000),
    }
  // There is no retry button, because the message would still be too long.
  if (isTooLong(accepted.message.text)) return finalError(accepted, RunError.tooLong(), spoken)
  // There is no retry button, because the message has killed even a process of its own.
  if (crashes > 0) return finalError(accepted, RunError.crashed(), spoken)

  const unwanted = new AbortController()
  const runSignal = AbortSignal.any([signal, unwanted.signal])
  const admitted = () => deps.admission.admit(accepted, runSignal)
  // Somebody with fewer rights may have come into the channel while the run works.
  const mayShow = async () => isDeepStrictEqual((await admitted()).access, accepted.access)
  const showing = { mayShow, onFailure: (error: unknown) => unwanted.abort(error) }
  const progress = delivery.startProgress(placeholderLines(accepted), showing, runSignal)
  const run = { ...subjectOf(accepted), end: () => unwanted.abort(RunError.heldUp()) }
  const context = {
    progress: latest => progress.show(latest),
    speak: language => {
      spoken.language = language
    },
    timeZone: async asked => (await destination.personOf(accepted.message.place, accepted.message.author, asked)).timeZone,
    // The work belongs to the same person as the run.
    afterReply: work => afterwards.push(own => asRun(run, () => work(own))),
  } satisfies ReplyContext
  try {
    const answer = (message: AcceptedMessage) => abortable(deps.answer(message, context, runSignal), runSignal)
    return await asRun(run, async () => {
      const reply = await answer(accepted)
      // The rights may have changed while the run worked. If so, the run starts again with the current rights.
      const now = await admitted()
      return isDeepStrictEqual(now.access, accepted.access) ? reply : answer(now)
    })
  } catch (error) {
    if (runSignal.reason instanceof RunError) return finalError(accepted, runSignal.reason, spoken)
    if (runSignal.aborted) throw runSignal.reason
    const code = error instanceof ClewError ? error.code : undefined
    logger[REFUSAL_CODES.includes(code ?? '') ? 'info' : 'error']({ error: errorMessage(error), code }, 'answer failed')
    return errorReply(accepted, error, spoken)
  } finally {
    await progress.stop()
  }
}

/** For whom and for what a message is answered. */
function subjectOf({ runId, message: { place, author }, access }: AcceptedMessage) {
  const role = access?.kind === 'granted' ? { role: access.roles.join(' ') } : {}
  const person = (access?.kind === 'granted' && access.person) || askerName(place, author)
  return { id: runId, person, place, ...role }
}

/** Reports an observation about a message that is not being answered at this moment. */
function observeFor(accepted: AcceptedMessage, { observe }: SettleMessageDeps, observation: Observation | undefined): void {
  if (observe !== undefined && observation !== undefined) void asRun(subjectOf(accepted), async () => observe(observation))
}

/** The decision about the author's rights. Undefined if there are no rules. */
function accessOf({ message, access }: AcceptedMessage): Observation | undefined {
  const decision = access?.kind === 'refused' ? access.reason : 'allowed'
  return access && { kind: 'access', platform: message.place.platform, decision }
}

/** Codes of replies that refuse a message by a rule, and do not come from a fault. */
const REFUSAL_CODES: readonly string[] = [
  'no_role',
  'people_unknown',
  'changed',
  'too_many_questions',
  'cap_reached',
  'thread_full',
  'question_too_long',
]

function answerOf(reply: Reply, durationMs: number): Observation {
  if (reply.kind === 'answer') {
    const report = reply.result === undefined ? withoutResult('answered') : reportOf(reply.result)
    return { kind: 'answer', ...report, durationMs }
  }
  const code = reply.kind === 'error' ? reply.code : 'fault'
  const outcome = code === STOPPED ? 'stopped' : REFUSAL_CODES.includes(code) ? 'refused' : 'failed'
  return { kind: 'answer', ...withoutResult(outcome, code), durationMs }
}

/** The reply for a failure that another try would not mend. */
function finalError({ runId }: AcceptedMessage, error: unknown, { language }: Spoken): ErrorReply {
  const code = error instanceof ClewError ? error.code : 'fault'
  return { kind: 'error', code, sentence: describeRunError(error, runId, language) }
}

function errorReply(accepted: AcceptedMessage, error: unknown, spoken: Spoken): Reply {
  return withRetry(accepted, finalError(accepted, error, spoken), spoken)
}

function withRetry({ runId }: AcceptedMessage, reply: ErrorReply, { language }: Spoken): Reply {
  return { ...reply, actions: [retryAction(runId, language)] }
}

/** Whether the reply's own content caused the failure. If so, a plainer reply may succeed. */
function isUnshowable(error: unknown): boolean {
  return error instanceof ChatError ? error.kind === 'rejected' : !(error instanceof ClewError)
}

/** Ends a message that cannot be answered. Stores it for the operator, unless its channel or thread was removed. */
async function endUndeliverable(
  { accepted }: MessageHead,
  token: DrainToken,
  error: unknown,
  deps: SettleMessageDeps,
  logger: Logger,
): Promise<void> {
  const kind = error instanceof ChatError ? error.kind : undefined
  const cause = error instanceof ThreadMustWaitError ? error.cause : error
  const reason = errorMessage(cause)
  const fields = { kind, error: reason }
  if (kind === 'gone' || kind === 'removed') return logger.info(fields, 'message ended: its place is gone')
  const letter = { thread: token.thread, messageId: accepted.message.messageId, reason, message: accepted }
  // These calls need signals of their own, because the signal of the work may already be aborted.
  await deps.deadLetters.keep(letter, AbortSignal.timeout(DELIVERY_LIMITS.requestMs))
  logger.error(fields, 'message given up: it cannot be answered there')
  await tellGivenUp(accepted, cause, token, deps)
}

/**
 * Ends the reply to a message that was given up, if the destination can still tell. If that fails, the failure is only logged.
 * @throws FenceLostError; StoreError, after which the message is given up once more
 */
export async function tellGivenUp(
  given: AcceptedMessage,
  error: unknown,
  token: DrainToken,
  deps: SettleMessageDeps,
): Promise<void> {
  const destination = deps.destinationOf(given)
  if (destination?.tellsGivenUp !== true) return
  const signal = AbortSignal.timeout(DELIVERY_LIMITS.requestMs)
  const language = given.message.language ?? 'en'
  try {
    const accepted = await deps.admission.admit(given, signal)
    const delivery = destination.deliver({ accepted, language: () => language, ledger: deps.ledgerOf(accepted, token) })
    await delivery.showReply(await delivery.saveReply(finalError(accepted, error, { language }), signal), signal)
  } catch (failure) {
    if (failure instanceof FenceLostError || failure instanceof StoreError) throw failure
    deps.logger.error({ run: given.runId, error: errorMessage(failure) }, 'nobody was told that a message was given up')
  }
}
