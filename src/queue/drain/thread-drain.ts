import { RunError } from '../../agent/run/error.ts'
import { ClewError } from '../../base/errors.ts'
import { inSpan } from '../../telemetry/span.ts'
import type { LoneProcesses } from '../alone/processes.ts'
import { type MessageOutcome, messageOutcomeSchema } from '../alone/tasks.ts'
import type { DeadLetter } from '../dead-letters.ts'
import { ThreadMustWaitError } from '../deliver/outbox-call.ts'
import { FenceLostError } from '../fence-lost-error.ts'
import { QUEUE_LIMITS } from '../limits.ts'
import { DrainStoppedError } from './drain-stopped-error.ts'
import { type SettleMessageDeps, settleMessage, tellGivenUp } from './settle-message.ts'
import type { DrainToken, MessageHead, ThreadHead } from './thread-messages.ts'

export interface ThreadDrainDeps extends SettleMessageDeps {
  /**
   * Answers messages in processes of their own if they may have killed a worker. If absent, this process answers every message.
   */
  readonly alone?: Pick<LoneProcesses, 'run'> | undefined
  readonly isStopping: () => boolean
}

/** `more`: another message waits in the thread. `empty`: none waits. `MessageOutcome` explains the other kinds. */
export type DrainOutcome = Exclude<MessageOutcome, { kind: 'settled' }> | { readonly kind: 'empty' | 'more' }

/**
 * Answers the first message of a thread. The next message waits for another turn. A failing message does not block the thread:
 * its author gets an explanation, or the operator gets a dead letter.
 * @param signal aborts with DrainStoppedError or FenceLostError
 * @throws StoreError if the thread's state cannot be stored; the message then stays in the thread
 */
export async function drainThread(thread: string, deps: ThreadDrainDeps, signal: AbortSignal): Promise<DrainOutcome> {
  try {
    if (deps.isStopping()) return { kind: 'stopped' }
    const { token, head } = await deps.messages.begin(thread, signal)
    if (head.kind === 'empty') return { kind: 'empty' }
    const outcome = await settleHead(head, token, deps, signal)
    if (outcome.kind !== 'settled') return outcome
    // If a message arrives after this point, its acceptance wakes the thread again.
    return { kind: outcome.isMore ? 'more' : 'empty' }
  } catch (error) {
    return drainEnd(error)
  }
}

/**
 * Turns the expected errors that stop the work on a thread into outcomes.
 * @throws any other error
 */
export function drainEnd(error: unknown): Exclude<MessageOutcome, { kind: 'settled' }> {
  if (error instanceof ThreadMustWaitError) return { kind: 'wait', waitMs: error.waitMs }
  if (error instanceof FenceLostError) return { kind: 'overtaken' }
  if (error instanceof DrainStoppedError) return { kind: 'stopped' }
  throw error
}

async function settleHead(
  head: Exclude<ThreadHead, { kind: 'empty' }>,
  token: DrainToken,
  deps: ThreadDrainDeps,
  signal: AbortSignal,
): Promise<MessageOutcome> {
  if (head.kind === 'unreadable')
    return giveUp({ messageId: head.messageId, message: head.payload, reason: 'it cannot be read' }, token, deps, signal)
  const { message, runId, traceparent: parent } = head.accepted
  const attributes = {
    'messaging.system': message.place.platform,
    'messaging.message.id': message.messageId,
    'clew.run': runId,
  }
  return inSpan('process message', { kind: 'consumer', attributes, parent }, async () => {
    if (deps.alone !== undefined && (head.crashes > 0 || head.starts > QUEUE_LIMITS.startsTogether))
      return settleAlone(head, token, { ...deps, alone: deps.alone }, signal)
    return { kind: 'settled', isMore: await settleMessage(head, token, deps, signal) }
  })
}

/**
 * Answers a message in a lone process, which has no other task. If that process dies, the message is certainly the cause. The
 * author then gets an explanation instead of an answer.
 */
async function settleAlone(
  head: MessageHead,
  token: DrainToken,
  deps: ThreadDrainDeps & Required<Pick<ThreadDrainDeps, 'alone'>>,
  signal: AbortSignal,
): Promise<MessageOutcome> {
  const { accepted, crashes } = head
  const { messageId } = accepted.message
  if (crashes > 1) {
    await tellGivenUp(accepted, RunError.crashed(), token, deps)
    const reason = 'even telling its author ends the process'
    return giveUp({ messageId, message: accepted, reason }, token, deps, signal)
  }
  const outcome = await deps.alone.run({ kind: 'message', token, head }, signal)
  if (outcome.kind === 'done') return messageOutcomeSchema.parse(outcome.value)
  if (outcome.kind === 'failed') throw new ClewError(outcome.error, { code: 'alone_failed', retryable: outcome.retryable })
  if (outcome.kind === 'wait') {
    await deps.messages.forgetStart(token, messageId, signal)
    return outcome
  }
  const fields = { thread: token.thread, message: messageId, run: accepted.runId, how: outcome.how }
  deps.logger.error(fields, 'message killed its lone process')
  await deps.messages.noteCrash(token, messageId, signal)
  return { kind: 'settled', isMore: true }
}

/** Gives a message up. Stores it for the operator. */
async function giveUp(
  letter: Omit<DeadLetter, 'thread'>,
  token: DrainToken,
  { deadLetters, messages, logger }: ThreadDrainDeps,
  signal: AbortSignal,
): Promise<MessageOutcome> {
  const { messageId, reason } = letter
  await deadLetters.keep({ ...letter, thread: token.thread }, signal)
  logger.error({ thread: token.thread, message: messageId, reason }, 'message given up; it is kept as a dead letter')
  return { kind: 'settled', isMore: await messages.finish(token, messageId, signal) }
}
