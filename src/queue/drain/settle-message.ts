import { errorMessage } from '../../base/errors.ts'
import { ChatError } from '../../chat/error.ts'
import type { ChatMessage } from '../../chat/event.ts'
import { StoreError } from '../../store/store-error.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import type { DeadLetters } from '../dead-letters.ts'
import { ThreadMustWaitError } from '../deliver/outbox-call.ts'
import { FIRST_PART } from '../deliver/part-names.ts'
import { FenceLostError } from '../fence-lost-error.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import { DrainStoppedError } from './drain-stopped-error.ts'
import { beginReply, errorReply, type ReplyAttempt, type ReplyAttemptDeps } from './reply-attempt.ts'
import type { DrainToken, MessageHead, ThreadMessages } from './thread-messages.ts'

export interface SettleMessageDeps extends ReplyAttemptDeps {
  readonly messages: ThreadMessages
  readonly deadLetters: Pick<DeadLetters, 'keep'>
  /** Accepts a message that Redis has lost while it was being answered. Absent: it stays lost. */
  readonly accept?: ((message: ChatMessage) => Promise<unknown>) | undefined
  /** Told of a message whose place takes no replies: it is gone, or Clew may not post there. */
  readonly whenUnreachable?: ((message: ChatMessage, signal: AbortSignal) => Promise<void>) | undefined
}

/**
 * Settles the first message of a thread, so that it never blocks the thread. The message is then out of the thread, and either
 * answered, which includes an explanation of why there is no answer, or given up: a dead letter for the operator.
 * @param signal aborts with DrainStoppedError or FenceLostError
 * @returns whether another message of the thread waits
 * @throws ThreadMustWaitError, DrainStoppedError, FenceLostError; StoreError if the thread's state cannot be stored; after an
 * error, the message is still first in the thread
 */
export async function settleMessage(
  head: MessageHead,
  token: DrainToken,
  allDeps: SettleMessageDeps,
  signal: AbortSignal,
): Promise<boolean> {
  const { runId, message } = head.accepted
  const logger = allDeps.logger.child({ thread: token.thread, message: message.messageId, run: runId })
  const deps = { ...allDeps, logger }
  let attempt: ReplyAttempt | undefined
  try {
    attempt = await beginReply(head, token, deps, signal)
    await attempt.show(signal)
  } catch (error) {
    await endFailed(signal.aborted ? signal.reason : error, head.accepted, token, deps)
  }
  const isMore = await deps.messages.finish(token, message.messageId, signal)
  await attempt?.afterwards(signal)
  return isMore
}

/**
 * Ends a failed attempt. Returns if the message was given up.
 * @throws the reason if the message stays first in its thread, to be tried again; its start then counts no longer
 */
async function endFailed(error: unknown, accepted: AcceptedMessage, token: DrainToken, deps: SettleMessageDeps): Promise<void> {
  const reason = waitingForToken(error)
  if (reason instanceof FenceLostError) {
    await acceptLost(accepted, token, deps).catch((failure: unknown) =>
      deps.logger.warn({ error: errorMessage(failure) }, 'a message that redis may have lost was not accepted again'),
    )
    // Another drain has the thread now.
    throw reason
  }
  if (!mayTryAgain(reason, deps.now() - accepted.acceptedAt)) return giveUp(accepted, reason, token, deps)
  if (reason instanceof ThreadMustWaitError)
    deps.logger.info({ waitMs: reason.waitMs, error: errorMessage(reason.cause) }, 'message delayed')
  // This call needs a signal of its own, because the signal of the work may already be aborted.
  await deps.messages.forgetStart(token, accepted.message.messageId, AbortSignal.timeout(DELIVERY_LIMITS.requestMs))
  throw reason
}

/**
 * Accepts a message again if Redis has lost it, for example in a failover to a replica that had not got it yet. Does nothing if
 * Redis still has it, or if another worker has taken over the thread.
 */
async function acceptLost(accepted: AcceptedMessage, token: DrainToken, deps: SettleMessageDeps): Promise<void> {
  const signal = AbortSignal.timeout(DELIVERY_LIMITS.requestMs)
  if (deps.accept === undefined || !(await deps.messages.isRolledBack(token, signal))) return
  // What the run has shown so far is shown on in the same message.
  await deps.ledgerOf(accepted, token).doubt(FIRST_PART, signal)
  await deps.accept({ ...accepted.message, addressed: true })
  deps.logger.error('redis has lost a message that was being answered; it is accepted again')
}

/** Turns the error for a refused token into a wait, so that the message stays queued until an operator replaces the token. */
function waitingForToken(error: unknown): unknown {
  const isRefused = error instanceof ChatError && error.kind === 'authentication'
  return isRefused ? new ThreadMustWaitError(DELIVERY_LIMITS.tokenWaitMs, error) : error
}

/** Whether another attempt may succeed, because the message did not cause the failure. A platform is not awaited for ever. */
function mayTryAgain(error: unknown, ageMs: number): boolean {
  if (error instanceof ThreadMustWaitError) return ageMs <= DELIVERY_LIMITS.giveUpMs
  return error instanceof DrainStoppedError || error instanceof StoreError
}

/**
 * Gives up a message that cannot be answered. It becomes a dead letter, unless its channel or thread was removed. It is still in
 * its thread then. The calls have signals of their own, because the signal of the work may already be aborted.
 * @throws FenceLostError, StoreError
 */
async function giveUp(accepted: AcceptedMessage, error: unknown, token: DrainToken, deps: SettleMessageDeps): Promise<void> {
  const kind = error instanceof ChatError ? error.kind : undefined
  const cause = error instanceof ThreadMustWaitError ? error.cause : error
  const reason = errorMessage(cause)
  const fields = { kind, error: reason }
  if (kind === 'gone' || kind === 'forbidden')
    await deps.whenUnreachable?.(accepted.message, AbortSignal.timeout(DELIVERY_LIMITS.requestMs))
  if (kind === 'gone' || kind === 'removed') return deps.logger.info(fields, 'message ended: its place is gone')
  const letter = { thread: token.thread, messageId: accepted.message.messageId, reason, message: accepted }
  await deps.deadLetters.keep(letter, AbortSignal.timeout(DELIVERY_LIMITS.requestMs))
  deps.logger.error(fields, 'message given up: it cannot be answered there')
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
    await delivery.showReply(await delivery.saveReply(errorReply(error, given.runId, language), signal), signal)
  } catch (failure) {
    if (failure instanceof FenceLostError || failure instanceof StoreError) throw failure
    deps.logger.error({ run: given.runId, error: errorMessage(failure) }, 'nobody was told that a message was given up')
  }
}
