import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { accessKey } from '../access/run-access.ts'
import { stopAction } from '../bots/actions/run-actions.ts'
import { ChatError, type ChatErrorKind } from '../bots/chat-error.ts'
import { type PostedMessage, type RenderedPart, targetOf } from '../bots/chat-platform.ts'
import type { Progress, Reply } from '../bots/reply.ts'
import { chatWords } from '../words/chat-words.ts'
import type { Language } from '../words/language.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import { FIRST, FIRST_AGAIN, NOTIFICATION, PLACEHOLDER, STREAM } from './answer-parts.ts'
import { type AnswerStream, createAnswerStream } from './answer-stream.ts'
import type { ChatDestination } from './chat-destination.ts'
import type { EditBudget } from './edit-budget.ts'
import { DELIVERY_LIMITS } from './limits.ts'
import { callIfPossible, callOutbox, requestInTime } from './outbox-call.ts'
import { type PostedOnce, postOnce } from './post-once.ts'
import { type ProgressEditor, startProgressEditor } from './progress-editor.ts'
import type { RecordWatcher } from './record-watcher.ts'
import type { FinalReply, RunLedger } from './run-ledger.ts'

/**
 * Shows what one message gets: part 1 is the placeholder, into which progress and then the answer are edited; further parts follow it. Each is
 * posted once and only once, whichever process posts it and whichever dies. Methods throw ChatError (`removed`, `gone`, `forbidden`, `authentication`,
 * `rejected`), ThreadMustWaitError, FenceLostError and StoreError.
 */
export interface Delivery {
  ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void>
  /** @param onFailure told once, when nothing can be shown for this message */
  startProgress(firstLines: readonly string[], onFailure: (error: unknown) => void, signal: AbortSignal): ProgressEditor
  /** The final reply of an earlier attempt at this run, which then need not be made again; none where the author's rights were others. */
  savedReply(signal: AbortSignal): Promise<FinalReply | undefined>
  /** Renders the final reply and keeps it, so that it survives this process. `isQuiet`: nobody waits for it, so nobody is notified. */
  saveReply(reply: Reply, signal: AbortSignal, options?: { readonly isQuiet: boolean }): Promise<FinalReply>
  /** Shows the final reply, and notifies its author if it was slow in coming. */
  showReply(final: FinalReply, signal: AbortSignal): Promise<void>
  /** Removes the placeholder, and whatever it was turned into: nobody is left to be answered. */
  withdraw(signal: AbortSignal): Promise<void>
  /** Removes what has arrived a second time: posts that were given up for lost. @returns how many */
  removeCopies(signal: AbortSignal): Promise<number>
}

export interface DeliveryDeps {
  readonly accepted: AcceptedMessage
  readonly destination: ChatDestination
  /** That is spoken to its author by now. */
  readonly language: () => Language
  readonly ledger: RunLedger
  readonly watcher: RecordWatcher
  readonly budget: EditBudget
  /** As for the ledger. */
  readonly landingMs?: number
  /** Between two edits of progress; by default that of the limits. */
  readonly progressIntervalMs?: number
  /** Unix time in milliseconds. */
  readonly now: () => number
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { accepted, ledger, budget } = deps
  const { outbox, progressEditsPerMinute, streams } = deps.destination
  const { place } = accepted.message
  const target = targetOf(accepted.message)
  const workspace = `${place.platform}/${place.workspace}`

  /** Until when an edit that was given up may still arrive, and show again what was overtaken. */
  let unsettledUntil = 0
  let isPlaceholderRemoved = false
  let inPlaceholder: Progress | undefined

  function post(part: string, rendered: RenderedPart, signal: AbortSignal, looksFirst = false): Promise<PostedOnce> {
    const wanted = { part, marker: markerOf(accepted.runId, part), rendered, looksFirst }
    return postOnce({ outbox, ledger, watcher: deps.watcher, target }, wanted, signal)
  }

  function firstPart(reply: Reply): RenderedPart {
    return outbox.render(reply)[0] ?? {}
  }

  async function edit(posted: PostedMessage, rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    await ledger.assertLatest(signal)
    try {
      await requestInTime(request => outbox.edit(target, posted, rendered, request), signal)
    } catch (error) {
      if (isOfKind(error, 'unavailable')) unsettledUntil = deps.now() + (deps.landingMs ?? DELIVERY_LIMITS.landingMs)
      throw error
    }
  }

  function progressPart(progress: Progress): RenderedPart {
    const language = deps.language()
    return firstPart({ kind: 'progress', ...progress, language, actions: [stopAction(accepted.runId, language)] })
  }

  async function ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void> {
    await budget.expect(workspace, accepted.runId, signal)
    await post(FIRST, progressPart({ lines }), signal)
  }

  /** The first rows are there before anything is said of them. @returns whether the answer is still to be shown */
  async function showProgress(progress: Progress, stream: AnswerStream | undefined, signal: AbortSignal): Promise<boolean> {
    const { answer, ...plan } = progress
    const streamed = stream?.isGivenUp() === false ? stream : undefined
    if (answer === undefined || (streamed === undefined && plan.table === inPlaceholder?.table)) {
      await showInPlaceholder(progress, signal)
      return false
    }
    await showInPlaceholder(plan, signal)
    return streamed === undefined ? !isPlaceholderRemoved : !(await streamed.show(progress, signal))
  }

  async function showInPlaceholder(progress: Progress, signal: AbortSignal): Promise<void> {
    if (isPlaceholderRemoved || isDeepStrictEqual(progress, inPlaceholder)) return
    const rendered = progressPart(progress)
    const { posted, fresh } = await post(FIRST, rendered, signal)
    if (!fresh) {
      await edit(posted, rendered, signal).catch((error: unknown) => {
        if (!isOfKind(error, 'removed')) throw error
        isPlaceholderRemoved = true
      })
    }
    inPlaceholder = progress
  }

  function streamIfAny(): AnswerStream | undefined {
    if (streams === undefined || outbox.streams?.takes(target) !== true) return undefined
    return createAnswerStream({
      outbox,
      streams: outbox.streams,
      ledger,
      target,
      marker: markerOf(accepted.runId, STREAM),
      mayBegin: async asked => (await budget.tryTake(`${workspace}/streams`, streams.startsPerMinute, true, asked)) === 0,
      edit: (posted, progress, asked) => edit(posted, progressPart(progress), asked),
    })
  }

  /** What was streamed takes no more: the whole answer is put in its place, as an edit. @returns whether there is such a stream */
  async function endStream(signal: AbortSignal): Promise<boolean> {
    const streamed = await ledger.posted(STREAM, signal)
    if (streamed === undefined) return false
    await ledger.moveToStream(signal)
    await callIfPossible(request => streamEnded(streamed, request), signal)
    return true
  }

  async function streamEnded(posted: PostedMessage, request: AbortSignal): Promise<void> {
    await outbox.streams?.end(target, posted, request)
  }

  async function removeIfPossible(part: string, signal: AbortSignal): Promise<void> {
    const posted = await ledger.posted(part, signal)
    if (posted !== undefined) await callIfPossible(request => outbox.remove(target, posted, request), signal)
  }

  /** A post that was given up without another in its stead may not have arrived yet. */
  async function untilLanded(part: string, signal: AbortSignal): Promise<void> {
    const isOver = async () => !(await ledger.isHeld(part, signal))
    const timeoutMs = deps.landingMs ?? DELIVERY_LIMITS.landingMs
    if (!(await isOver())) await deps.watcher.wait(ledger.channel, { timeoutMs, look: isOver }, signal)
  }

  /** Shows it in the placeholder's place or, where somebody has removed that, anew, once. */
  async function showFirst(rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    const { posted, fresh } = await post(FIRST, rendered, signal)
    // An answer never waits for the budget: it is progress that gives way.
    await budget.take(workspace, accepted.runId, progressEditsPerMinute, signal)
    if (fresh) return
    await wait(Math.max(0, unsettledUntil - deps.now()), undefined, { signal })
    try {
      await callOutbox(() => edit(posted, rendered, signal), signal)
    } catch (error) {
      if (!isOfKind(error, 'removed')) throw error
      const again = await post(FIRST_AGAIN, rendered, signal, true)
      if (!again.fresh) await callOutbox(() => edit(again.posted, rendered, signal), signal)
    }
  }

  return {
    ensurePlaceholder,

    startProgress(firstLines, onFailure, signal) {
      const stream = streamIfAny()
      const { progressIntervalMs: intervalMs = DELIVERY_LIMITS.progressIntervalMs } = deps
      return startProgressEditor({
        begin: () => ensurePlaceholder(firstLines, signal),
        edit: progress => showProgress(progress, stream, signal),
        takeFromBudget: isAwaited =>
          stream?.isOpen() && streams !== undefined
            ? budget.tryTake(`${workspace}/appends`, streams.appendsPerMinute, true, signal)
            : budget.tryTake(workspace, progressEditsPerMinute, isAwaited, signal),
        intervalMs,
        awaitedIntervalMs: Math.min(intervalMs, DELIVERY_LIMITS.awaitedIntervalMs),
        onFailure,
      })
    },

    async savedReply(signal) {
      const final = await ledger.final(signal)
      return final?.rights === rightsOf(accepted.access) ? final : undefined
    },

    async saveReply(reply, signal, options) {
      const slow = options?.isQuiet !== true && deps.now() - accepted.acceptedAt > DELIVERY_LIMITS.notifyMs
      const notification = slow
        ? firstPart({ kind: 'notification', author: accepted.message.author, language: deps.language() })
        : undefined
      const final = { parts: outbox.render(reply), notification, rights: rightsOf(accepted.access) } satisfies FinalReply
      await ledger.saveFinal(final, signal)
      return final
    },

    async showReply(final, signal) {
      const [first = {}, ...further] = final.parts
      const isStreamed = await endStream(signal)
      await showFirst(first, signal)
      for (const [index, rendered] of further.entries()) await post(String(index + 2), rendered, signal)
      if (final.notification !== undefined) await post(NOTIFICATION, final.notification, signal)
      if (isStreamed) await removeIfPossible(PLACEHOLDER, signal)
    },

    async withdraw(signal) {
      // Whoever accepted the message may be about to post it: posting it here waits for that.
      const { posted } = await post(FIRST, progressPart({ lines: [chatWords(deps.language()).stopping] }), signal)
      await budget.take(workspace, accepted.runId, progressEditsPerMinute, signal)
      await callOutbox(() => requestInTime(request => outbox.remove(target, posted, request), signal), signal)
      await endStream(signal)
      await removeIfPossible(STREAM, signal)
    },

    async removeCopies(signal) {
      let removed = 0
      for (const { part, posted } of await ledger.doubtful(signal)) {
        if (posted === undefined) await untilLanded(part, signal)
        const marker = markerOf(accepted.runId, part)
        const found = await requestInTime(request => outbox.find(target, marker, request), signal)
        for (const copy of found.filter(({ id }) => id !== posted?.id)) {
          if (part === STREAM) await requestInTime(request => streamEnded(copy, request), signal)
          await requestInTime(request => outbox.remove(target, copy, request), signal)
          removed += 1
        }
      }
      return removed
    },
  }
}

/** Undefined where no rules are set. */
function rightsOf(decision: AcceptedMessage['access']): string | undefined {
  if (decision === undefined) return undefined
  if (decision.kind === 'refused') return decision.reason
  return decision.access && accessKey(decision.access)
}

/** Short enough for Discord's nonce (25 characters) with run ids of up to 21 characters: https://discord.com/developers/docs/resources/message */
function markerOf(runId: string, part: string): string {
  return `${runId}-${part}`
}

function isOfKind(error: unknown, kind: ChatErrorKind): boolean {
  return error instanceof ChatError && error.kind === kind
}
