import { retryAction } from '../bots/actions/run-actions.ts'
import { ChatError } from '../bots/chat-error.ts'
import type { Progress, Reply } from '../bots/reply.ts'
import { ClewError, errorMessage } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { abortable } from '../store/abortable.ts'
import { StoreError } from '../store/store-error.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import type { Admission } from './admission.ts'
import type { Delivery } from './delivery.ts'
import { FenceLostError } from './fence-lost-error.ts'
import { DELIVERY_LIMITS, QUEUE_LIMITS } from './limits.ts'
import { ThreadMustWaitError } from './outbox-call.ts'
import { PLACEHOLDER_LINES } from './placeholder.ts'
import type { CancelReason, RunCancellation } from './run-cancellation.ts'
import type { FinalReply } from './run-ledger.ts'
import type { DrainToken, ThreadHead, ThreadMessages } from './thread-messages.ts'
import { RunCancelledError, untilCancelled } from './until-cancelled.ts'

/** What an answer may do while it is being made. */
export interface RunContext {
  /** Shows how far it is; never waits, never fails, and shows the latest only: `progress` is asked for when it is shown. */
  progress(progress: () => Progress): void
  /** The author's IANA time zone, if the platform tells. */
  timeZone(signal: AbortSignal): Promise<string | undefined>
  /** Work for when the reply is out and before the thread's next message is taken. Its failure is logged and changes nothing. */
  afterReply(work: (signal: AbortSignal) => Promise<void>): void
}

/**
 * Makes the final reply to a message. It is called again, with the same run id, when its worker died or was stopped.
 * What it throws is told to the author as an error. The signal is aborted when the reply is no longer wanted from here.
 */
export type AnswerMessage = (accepted: AcceptedMessage, context: RunContext, signal: AbortSignal) => Promise<Reply>

type AfterReply = (signal: AbortSignal) => Promise<void>

/** The worker is being stopped: what is not done is left for another. */
export class DrainStoppedError extends ClewError {
  constructor() {
    super('The worker is stopping', { code: 'drain_stopped', retryable: true })
  }
}

/** How a drain ended: `wait` wants it again after a time, `stopped` at once on another worker; after `overtaken` another one has it. */
export type DrainOutcome =
  | { readonly kind: 'empty' | 'stopped' | 'overtaken' }
  | { readonly kind: 'wait'; readonly waitMs: number }

export interface ThreadDrainDeps {
  readonly messages: ThreadMessages
  readonly cancellation: Pick<RunCancellation, 'requested' | 'untilRequested'>
  readonly admission: Admission
  readonly answer: AnswerMessage
  /** Undefined where this worker cannot reach the message's platform. */
  readonly deliveryOf: (accepted: AcceptedMessage, token: DrainToken) => Delivery | undefined
  readonly timeZoneOf: (accepted: AcceptedMessage, signal: AbortSignal) => Promise<string | undefined>
  /** A failure in words for the author; it must not give away what is inside. */
  readonly describeError: (error: unknown, runId: string) => string
  readonly isStopping: () => boolean
  readonly now: () => number
  readonly logger: Logger
}

/**
 * Answers the messages of one thread in order until there are none. A message never fails it: whatever goes wrong with one is told to its author
 * or, where nothing can be shown, logged, and the message is done with.
 * @param signal aborted by a DrainStoppedError or a FenceLostError
 * @throws StoreError when the thread's state cannot be kept; the message stays
 */
export async function drainThread(thread: string, deps: ThreadDrainDeps, signal: AbortSignal): Promise<DrainOutcome> {
  try {
    if (deps.isStopping()) return { kind: 'stopped' }
    let { token, head } = await deps.messages.begin(thread, signal)
    while (head.kind !== 'empty') {
      const afterwards: AfterReply[] = []
      if (head.kind === 'unreadable') deps.logger.error({ thread, message: head.messageId }, 'unreadable message dropped')
      else await handleHead(head, token, deps, afterwards, signal)
      const messageId = head.kind === 'message' ? head.accepted.message.messageId : head.messageId
      const isMore = await deps.messages.finish(token, messageId, signal)
      for (const work of afterwards) {
        await work(signal).catch((error: unknown) =>
          deps.logger.warn({ thread, error: errorMessage(error) }, 'work after a reply failed'),
        )
      }
      // For a message that comes from here on, the thread is woken once more.
      if (!isMore) return { kind: 'empty' }
      if (deps.isStopping()) return { kind: 'stopped' }
      head = await deps.messages.startHead(token, signal)
    }
    return { kind: 'empty' }
  } catch (error) {
    if (error instanceof ThreadMustWaitError) return { kind: 'wait', waitMs: error.waitMs }
    if (error instanceof FenceLostError) return { kind: 'overtaken' }
    if (error instanceof DrainStoppedError) return { kind: 'stopped' }
    throw error
  }
}

/** Returns when the message is done with; throws what ends the drain, the message then being left at the head. */
async function handleHead(
  head: Extract<ThreadHead, { kind: 'message' }>,
  token: DrainToken,
  deps: ThreadDrainDeps,
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
    if (!staysAtHead(reason)) return reportUndeliverable(reason, logger)
    if (reason instanceof ThreadMustWaitError && deps.now() - accepted.acceptedAt > DELIVERY_LIMITS.giveUpMs) {
      return logger.error({ error: errorMessage(reason.cause) }, 'message given up: its platform stayed away')
    }
    if (reason instanceof ThreadMustWaitError)
      logger.info({ waitMs: reason.waitMs, error: errorMessage(reason.cause) }, 'message put off')
    // The drain's own signal may be aborted already, and this must be noted all the same.
    await deps.messages.forgetStart(token, messageId, AbortSignal.timeout(DELIVERY_LIMITS.requestMs))
    throw reason
  }
}

/** A token that is refused is replaced by somebody, sooner or later: until then the message waits. */
function waitingForToken(error: unknown): unknown {
  const isRefused = error instanceof ChatError && error.kind === 'authentication'
  return isRefused ? new ThreadMustWaitError(DELIVERY_LIMITS.tokenWaitMs, error) : error
}

/** Whether a message is to be tried again later, the fault not being its own. */
function staysAtHead(error: unknown): boolean {
  return error instanceof ThreadMustWaitError || error instanceof DrainStoppedError || error instanceof StoreError
}

async function answerAndShow(
  head: Extract<ThreadHead, { kind: 'message' }>,
  token: DrainToken,
  deps: ThreadDrainDeps,
  afterwards: AfterReply[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const { starts } = head
  const accepted = await deps.admission.admit(head.accepted, signal)
  const delivery = deps.deliveryOf(accepted, token)
  if (delivery === undefined) {
    logger.error({ platform: accepted.message.place.platform }, 'no way to the platform of a message from this worker')
    throw new ThreadMustWaitError(DELIVERY_LIMITS.unavailableWaitMs, undefined)
  }
  if (starts > 2 * QUEUE_LIMITS.maxStarts)
    return logger.fatal({ starts }, 'message dropped: even telling its author kills the worker')
  if (starts > QUEUE_LIMITS.maxStarts) logger.error({ starts }, 'message given up: it has killed its workers')

  try {
    const [saved, cancelled] = await Promise.all([
      starts > QUEUE_LIMITS.maxStarts ? undefined : delivery.savedReply(signal),
      deps.cancellation.requested(accepted.runId, signal),
    ])
    const final = saved ?? (await makeAndSave({ accepted, starts, cancelled }, delivery, deps, afterwards, logger, signal))
    afterwards.push(async own => {
      const copies = await delivery.removeCopies(own)
      if (copies > 0) logger.warn({ copies }, 'posts that arrived after they were given up for lost were removed')
    })
    if (final === undefined) return
    await delivery.showReply(final, signal)
    logger.info({ elapsedMs: deps.now() - accepted.acceptedAt }, 'message answered')
  } catch (error) {
    if (signal.aborted || !isUnshowable(error)) throw error
    logger.error({ error: errorMessage(error) }, 'reply could not be shown')
    const failure = failureReply(accepted.runId, deps.describeError(error, accepted.runId))
    await delivery.showReply(await delivery.saveReply(failure, signal), signal)
  }
}

interface AdmittedHead extends Pick<Extract<ThreadHead, { kind: 'message' }>, 'accepted' | 'starts'> {
  /** Why its run is to end before it has begun, if it is. */
  readonly cancelled: CancelReason | undefined
}

/** The message's reply, made and kept; undefined where its question was deleted, so that nothing is to be shown any more. */
async function makeAndSave(
  head: AdmittedHead,
  delivery: Delivery,
  deps: ThreadDrainDeps,
  afterwards: AfterReply[],
  logger: Logger,
  signal: AbortSignal,
): Promise<FinalReply | undefined> {
  const { runId } = head.accepted
  try {
    if (head.cancelled !== undefined) throw new RunCancelledError(head.cancelled)
    const make = (own: AbortSignal) => makeReply(head, delivery, deps, afterwards, logger, own)
    return await delivery.saveReply(await untilCancelled(deps.cancellation, runId, make, signal), signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof RunCancelledError)) throw error
    logger.info({ reason: error.reason }, 'run cancelled')
    if (error.reason === 'stopped') return await delivery.saveReply(failureReply(runId, 'Stopped.'), signal, { isQuiet: true })
    await delivery.withdraw(signal)
    return undefined
  }
}

const ONE_TOO_MANY = `This thread has had more than ${QUEUE_LIMITS.mostTurns} messages within ${QUEUE_LIMITS.turnsMs / 60_000} minutes: I answer here again when it is calmer. Please ask in a new thread.`

async function makeReply(
  { accepted, starts }: AdmittedHead,
  delivery: Delivery,
  deps: ThreadDrainDeps,
  afterwards: AfterReply[],
  logger: Logger,
  signal: AbortSignal,
): Promise<Reply> {
  if (accepted.isOneTooMany === true) return { kind: 'error', sentence: ONE_TOO_MANY }
  if (starts > QUEUE_LIMITS.maxStarts) return failureReply(accepted.runId, deps.describeError(undefined, accepted.runId))

  const unwanted = new AbortController()
  const runSignal = AbortSignal.any([signal, unwanted.signal])
  const progress = delivery.startProgress(PLACEHOLDER_LINES, error => unwanted.abort(error), runSignal)
  const context = {
    progress: latest => progress.show(latest),
    timeZone: asked => deps.timeZoneOf(accepted, asked),
    afterReply: work => afterwards.push(work),
  } satisfies RunContext
  try {
    return await abortable(deps.answer(accepted, context, runSignal), runSignal)
  } catch (error) {
    if (runSignal.aborted) throw runSignal.reason
    logger.error({ error: errorMessage(error), code: error instanceof ClewError ? error.code : undefined }, 'answer failed')
    return failureReply(accepted.runId, deps.describeError(error, accepted.runId))
  } finally {
    await progress.stop()
  }
}

function failureReply(runId: string, sentence: string): Reply {
  return { kind: 'error', sentence, actions: [retryAction(runId)] }
}

/** Whether the fault lies in what was to be shown, so that something plainer may do. */
function isUnshowable(error: unknown): boolean {
  return error instanceof ChatError ? error.kind === 'rejected' : !(error instanceof ClewError)
}

function reportUndeliverable(error: unknown, logger: Logger): void {
  const kind = error instanceof ChatError ? error.kind : undefined
  const fields = { kind, error: errorMessage(error) }
  if (kind === 'gone' || kind === 'removed') logger.info(fields, 'message ended: its place is gone')
  else logger.error(fields, 'message ended: it cannot be answered there')
}
