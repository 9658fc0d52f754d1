import { ClewError } from '../errors.ts'
import { FenceLostError } from './fence-lost-error.ts'
import { QUEUE_LIMITS } from './limits.ts'
import type { LoneProcesses } from './lone-processes.ts'
import { type MessageOutcome, messageOutcomeSchema } from './lone-tasks.ts'
import { ThreadMustWaitError } from './outbox-call.ts'
import { DrainStoppedError, type SettleMessageDeps, settleMessage } from './settle-message.ts'
import type { DrainToken, MessageHead, ThreadHead } from './thread-messages.ts'

export interface ThreadDrainDeps extends SettleMessageDeps {
  /** Where there are none, every message is answered in this process. */
  readonly alone?: Pick<LoneProcesses, 'run'> | undefined
  readonly isStopping: () => boolean
}

/** How a drain ended; see MessageOutcome. `more`: another message waits there. */
export type DrainOutcome = Exclude<MessageOutcome, { kind: 'settled' }> | { readonly kind: 'empty' | 'more' }

/**
 * Answers the first message of a thread; the next one waits for its turn. A message never fails it: whatever goes wrong with one is told to its author
 * or, where nothing can be shown, kept as a dead letter, and the message is done with.
 * @param signal aborted by a DrainStoppedError or a FenceLostError
 * @throws StoreError when the thread's state cannot be kept; the message stays
 */
export async function drainThread(thread: string, deps: ThreadDrainDeps, signal: AbortSignal): Promise<DrainOutcome> {
  try {
    if (deps.isStopping()) return { kind: 'stopped' }
    const { token, head } = await deps.messages.begin(thread, signal)
    if (head.kind === 'empty') return { kind: 'empty' }
    const outcome = await settleHead(head, token, deps, signal)
    if (outcome.kind !== 'settled') return outcome
    // For a message that comes from here on, the thread is woken once more.
    return { kind: outcome.isMore ? 'more' : 'empty' }
  } catch (error) {
    return drainEnd(error)
  }
}

/** Tells the ends of a drain that are no fault. @throws anything else */
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
  if (head.kind === 'unreadable') return giveUp(head.messageId, head.payload, 'it cannot be read', token, deps, signal)
  if (deps.alone !== undefined && (head.crashes > 0 || head.starts > QUEUE_LIMITS.startsTogether))
    return settleAlone(head, token, { ...deps, alone: deps.alone }, signal)
  return { kind: 'settled', isMore: await settleMessage(head, token, deps, signal) }
}

/**
 * Has a message answered where its death is seen to be its own: its author is told of the first one. Whoever was only beside the guilty one
 * is answered, however often its worker has died.
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
    return giveUp(messageId, JSON.stringify(accepted), 'even telling its author ends the process', token, deps, signal)
  }
  const outcome = await deps.alone.run({ kind: 'message', token, head }, signal)
  if (outcome.kind === 'done') return messageOutcomeSchema.parse(outcome.value)
  if (outcome.kind === 'failed') throw new ClewError(outcome.error, { code: 'alone_failed', retryable: true })
  if (outcome.kind === 'wait') {
    await deps.messages.forgetStart(token, messageId, signal)
    return outcome
  }
  const fields = { thread: token.thread, message: messageId, run: accepted.runId, how: outcome.how }
  deps.logger.error(fields, 'a message has ended the process that had it alone in hand')
  await deps.messages.noteCrash(token, messageId, signal)
  return { kind: 'settled', isMore: true }
}

/** Nothing is dropped without a word: what its author cannot be told is kept for the operator. */
async function giveUp(
  messageId: string,
  payload: string,
  reason: string,
  token: DrainToken,
  { deadLetters, messages, logger }: ThreadDrainDeps,
  signal: AbortSignal,
): Promise<MessageOutcome> {
  await deadLetters.keep({ thread: token.thread, messageId, reason, payload }, signal)
  logger.error({ thread: token.thread, message: messageId, reason }, 'message given up; it is kept as a dead letter')
  return { kind: 'settled', isMore: await messages.finish(token, messageId, signal) }
}
