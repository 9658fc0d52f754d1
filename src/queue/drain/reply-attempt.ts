import { isDeepStrictEqual } from 'node:util'
import { describeRunError } from '../../agent/run/describe-run-error.ts'
import { RunError } from '../../agent/run/error.ts'
import { isTooLong } from '../../agent/run/question-size.ts'
import { ClewError, errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { asRun } from '../../base/watched-work.ts'
import { ChatError } from '../../chat/error.ts'
import type { ErrorReply, Reply } from '../../chat/reply.ts'
import { retryAction } from '../../chat/run-actions.ts'
import { abortable } from '../../store/abortable.ts'
import type { Observe } from '../../telemetry/observation.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import type { Admission } from '../accept/admission.ts'
import { inOwnLanguage, placeholderLines } from '../accept/placeholder.ts'
import type { Delivery } from '../deliver/delivery.ts'
import { ThreadMustWaitError } from '../deliver/outbox-call.ts'
import type { ProgressEditor } from '../deliver/progress-editor.ts'
import type { ReplyDestination } from '../deliver/reply-destination.ts'
import type { FinalReply, RunLedger } from '../deliver/run-ledger.ts'
import { DELIVERY_LIMITS, QUEUE_LIMITS } from '../limits.ts'
import { type RunCancellation, RunCancelledError, STOPPED, untilCancelled } from '../run-cancellation.ts'
import type { AfterReply, AnswerMessage, ReplyContext } from './answer-message.ts'
import { observeAccess, observeReply, REFUSAL_CODES, subjectOf } from './observe-message.ts'
import type { DrainToken, MessageHead } from './thread-messages.ts'

export interface ReplyAttemptDeps {
  readonly cancellation: Pick<RunCancellation, 'requested' | 'untilRequested'>
  readonly admission: Admission
  readonly answer: AnswerMessage
  /** Returns the message's platform. Undefined if this worker has no connection to it. */
  readonly destinationOf: (accepted: AcceptedMessage) => ReplyDestination | undefined
  readonly ledgerOf: (accepted: AcceptedMessage, token: DrainToken) => RunLedger
  readonly observe?: Observe | undefined
  readonly now: () => number
  /** Its lines name the message. */
  readonly logger: Logger
}

/**
 * Begins an attempt to reply to a message: the rights of its author, its platform and its language are known then. Nothing is
 * shown yet.
 * @throws StoreError; ThreadMustWaitError if this worker has no connection to the platform
 */
export async function beginReply(
  head: MessageHead,
  token: DrainToken,
  deps: ReplyAttemptDeps,
  signal: AbortSignal,
): Promise<ReplyAttempt> {
  const admitted = await deps.admission.admit(head.accepted, signal)
  observeAccess(admitted, deps.observe)
  const destination = deps.destinationOf(admitted)
  if (destination === undefined) {
    const { platform } = admitted.message.place
    deps.logger.error({ platform }, 'no way to the platform of a message from this worker')
    throw new ThreadMustWaitError(DELIVERY_LIMITS.unavailableWaitMs, undefined)
  }
  const accepted = await inOwnLanguage(admitted, destination, signal)
  return new ReplyAttempt({ ...head, accepted }, destination, deps.ledgerOf(accepted, token), deps)
}

/**
 * One attempt to reply to a message: it makes the reply, stores it, and shows it. A later attempt shows the stored reply. Errors
 * that another attempt may mend, and those of the signal, are thrown; all others become the reply.
 */
export class ReplyAttempt {
  readonly #accepted: AcceptedMessage
  /** How many lone processes the message has killed. */
  readonly #crashes: number
  readonly #destination: ReplyDestination
  readonly #delivery: Delivery
  readonly #deps: ReplyAttemptDeps
  readonly #afterwards: AfterReply[] = []
  /** The language of the words that Clew adds. At first it is that of the author, and later that of the conversation. */
  #language: Language

  constructor({ accepted, crashes }: MessageHead, destination: ReplyDestination, ledger: RunLedger, deps: ReplyAttemptDeps) {
    this.#accepted = accepted
    this.#crashes = crashes
    this.#destination = destination
    this.#deps = deps
    this.#language = accepted.message.language ?? 'en'
    this.#delivery = destination.deliver({ accepted, language: () => this.#language, ledger })
  }

  /**
   * Makes the reply and shows it. Then only the work of `afterwards` is left.
   * @throws ChatError, ThreadMustWaitError, FenceLostError, StoreError, or the signal's reason
   */
  async show(signal: AbortSignal): Promise<void> {
    try {
      const final = await this.#finalReply(signal)
      this.#afterwards.push(async own => {
        const copies = await this.#delivery.removeCopies(own)
        if (copies > 0) this.#deps.logger.warn({ copies }, 'late duplicate posts removed')
      })
      if (final === undefined) return
      await this.#delivery.showReply(final, signal)
      this.#deps.logger.info({ elapsedMs: this.#elapsedMs() }, 'message answered')
    } catch (error) {
      if (signal.aborted || !isUnshowable(error)) throw error
      this.#deps.logger.error({ error: errorMessage(error) }, 'reply could not be shown')
      const failure = this.#withRetry(this.#errorReply(error))
      await this.#delivery.showReply(await this.#delivery.saveReply(failure, signal), signal)
    }
  }

  /** Does the work that was left for after the reply. Failures are only logged. */
  async afterwards(signal: AbortSignal): Promise<void> {
    for (const work of this.#afterwards)
      await work(signal).catch((error: unknown) =>
        this.#deps.logger.warn({ error: errorMessage(error) }, 'work after a reply failed'),
      )
  }

  /** Returns the stored reply, or makes and stores one. Undefined if the question was deleted, or if there is nothing to say. */
  async #finalReply(signal: AbortSignal): Promise<FinalReply | undefined> {
    const { cancellation, logger } = this.#deps
    const { runId } = this.#accepted
    // After a crash, no stored reply is shown again, because showing it may be what ends the process.
    const [saved, cancelled] = await Promise.all([
      this.#crashes > 0 ? undefined : this.#delivery.savedReply(signal),
      cancellation.requested(runId, signal),
    ])
    if (saved !== undefined) return saved
    try {
      // A run that was cancelled before it began ends like one that is cancelled on the way.
      if (cancelled !== undefined) throw new RunCancelledError(cancelled)
      const reply = this.#refusal() ?? (await untilCancelled(cancellation, runId, own => this.#answer(own), signal))
      // Nobody waits for a due run, so nobody is told that it has taken long.
      return reply && (await this.#save(reply, { isQuiet: this.#isDue }, signal))
    } catch (error) {
      if (signal.aborted || !(error instanceof RunCancelledError)) throw error
      logger.info({ reason: error.reason }, 'run cancelled')
      if (error.reason === 'deleted') return void (await this.#delivery.withdraw(signal))
      const stopped = this.#withRetry({ kind: 'error', code: STOPPED, sentence: chatWords(this.#language).stopped })
      return this.#save(stopped, { isQuiet: true }, signal)
    }
  }

  /** Returns why the message is not even tried. There is no retry button, because the reason would be the same again. */
  #refusal(): ErrorReply | undefined {
    if (this.#accepted.isOneTooMany === true) {
      const sentence = chatWords(this.#language).oneTooMany(QUEUE_LIMITS.mostTurns, QUEUE_LIMITS.turnsMs / 60_000)
      return { kind: 'error', code: 'thread_full', sentence }
    }
    if (isTooLong(this.#accepted.message.text)) return this.#errorReply(RunError.tooLong())
    // The message has killed even a process of its own.
    return this.#crashes > 0 ? this.#errorReply(RunError.crashed()) : undefined
  }

  /** Has the message answered, and shows progress meanwhile. A failure becomes a reply, but that of the signal is thrown. */
  async #answer(signal: AbortSignal): Promise<Reply | undefined> {
    const { place, author } = this.#accepted.message
    // Aborts if the answer can no longer be shown, or if making it blocks the process.
    const unwanted = new AbortController()
    const runSignal = AbortSignal.any([signal, unwanted.signal])
    const run = { ...subjectOf(this.#accepted), end: () => unwanted.abort(RunError.heldUp()) }
    // A due run may have nothing to say, so nothing is shown before its reply.
    const progress = this.#isDue ? undefined : this.#startProgress(error => unwanted.abort(error), runSignal)
    const context = {
      progress: latest => progress?.show(latest),
      speak: language => {
        this.#language = language
      },
      timeZone: async own => (await this.#destination.personOf(place, author, own)).timeZone,
      // The work belongs to the same person as the run.
      afterReply: work => this.#afterwards.push(own => asRun(run, () => work(own))),
    } satisfies ReplyContext
    try {
      return await asRun(run, () => this.#answerByLatestRights(context, runSignal))
    } catch (error) {
      if (runSignal.reason instanceof RunError) return this.#errorReply(runSignal.reason)
      if (runSignal.aborted) throw runSignal.reason
      const code = error instanceof ClewError ? error.code : undefined
      const level = REFUSAL_CODES.includes(code ?? '') ? 'info' : 'error'
      this.#deps.logger[level]({ error: errorMessage(error), code }, 'answer failed')
      return this.#withRetry(this.#errorReply(error))
    } finally {
      await progress?.stop()
    }
  }

  #startProgress(onFailure: (error: unknown) => void, signal: AbortSignal): ProgressEditor {
    // Somebody with fewer rights may have come into the channel while the run works.
    const mayShow = async () => this.#hasSameRights(await this.#deps.admission.admit(this.#accepted, signal))
    return this.#delivery.startProgress(placeholderLines(this.#accepted), { mayShow, onFailure }, signal)
  }

  /** The rights may change while a run works. If so, the run starts again with the current rights. */
  async #answerByLatestRights(context: ReplyContext, signal: AbortSignal): Promise<Reply | undefined> {
    const answer = (message: AcceptedMessage) => abortable(this.#deps.answer(message, context, signal), signal)
    const reply = await answer(this.#accepted)
    const now = await this.#deps.admission.admit(this.#accepted, signal)
    return this.#hasSameRights(now) ? reply : answer(now)
  }

  #hasSameRights({ access }: AcceptedMessage): boolean {
    return isDeepStrictEqual(access, this.#accepted.access)
  }

  /** Stores a reply. From then on, every attempt shows it. */
  async #save(reply: Reply, options: { readonly isQuiet: boolean }, signal: AbortSignal): Promise<FinalReply> {
    const final = await this.#delivery.saveReply(reply, signal, options)
    observeReply(this.#accepted, reply, this.#elapsedMs(), this.#deps.observe)
    return final
  }

  #errorReply(error: unknown): ErrorReply {
    return errorReply(error, this.#accepted.runId, this.#language)
  }

  #withRetry(reply: ErrorReply): ErrorReply {
    return { ...reply, actions: [retryAction(this.#accepted.runId, this.#language)] }
  }

  /** Whether the message stands for a due run of a subscription. */
  get #isDue(): boolean {
    return this.#accepted.message.due !== undefined
  }

  #elapsedMs(): number {
    return this.#deps.now() - this.#accepted.acceptedAt
  }
}

/** Whether the reply's own content caused the failure. If so, a plainer reply may succeed. */
function isUnshowable(error: unknown): boolean {
  return error instanceof ChatError ? error.kind === 'rejected' : !(error instanceof ClewError)
}

/** Makes the reply that explains an error. It has no retry button. */
export function errorReply(error: unknown, runId: string, language: Language): ErrorReply {
  const code = error instanceof ClewError ? error.code : 'fault'
  return { kind: 'error', code, sentence: describeRunError(error, runId, language) }
}
