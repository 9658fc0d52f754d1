import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { ChatError, type ChatErrorKind } from '../../chat/error.ts'
import { type PostedMessage, type RenderedPart, targetOf } from '../../chat/platform.ts'
import type { Progress, Reply } from '../../chat/reply.ts'
import { stopAction } from '../../chat/run-actions.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import type { AcceptedMessage } from '../accept/accepted-message.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import type { RecordWatcher } from '../record-watcher.ts'
import { type AnswerStream, createAnswerStream } from './answer-stream.ts'
import type { ChatDestination } from './chat-destination.ts'
import type { EditBudget } from './edit-budget.ts'
import { callIfPossible, callOutbox, requestInTime } from './outbox-call.ts'
import { FIRST_PART, NOTIFICATION_PART, PLACEHOLDER_PART, REPOSTED_FIRST_PART, STREAM_PART } from './part-names.ts'
import { type PostedOnce, postOnce } from './post-once.ts'
import { type ProgressEditor, startProgressEditor } from './progress-editor.ts'
import { rightsOf, savedReply } from './reply-rights.ts'
import type { FinalReply, RunLedger } from './run-ledger.ts'

/**
 * Shows the reply to one message. Part 1 is the placeholder message. Edits replace its text with progress, and then with the
 * answer. Further parts are messages below it. Each part is posted exactly once, even if processes compete or die. Methods throw
 * ChatError (`removed`, `gone`, `forbidden`, `authentication`, `rejected`), ThreadMustWaitError, FenceLostError and StoreError.
 */
export interface Delivery {
  ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void>
  /**
   * Starts to show progress.
   * @param showing.mayShow asked before rows or text of the answer are shown; if it says no, only the lines of progress are shown
   * @param showing.onFailure called once if nothing can be shown for this message
   */
  startProgress(
    firstLines: readonly string[],
    showing: { readonly mayShow: () => Promise<boolean>; readonly onFailure: (error: unknown) => void },
    signal: AbortSignal,
  ): ProgressEditor
  /**
   * Returns the final reply that an earlier attempt stored. Undefined if there is none, or if the author's rights have changed
   * since.
   */
  savedReply(signal: AbortSignal): Promise<FinalReply | undefined>
  /**
   * Renders the final reply and stores it, so that the reply survives this process. `isQuiet`: the question's author is not
   * notified.
   */
  saveReply(reply: Reply, signal: AbortSignal, options?: { readonly isQuiet: boolean }): Promise<FinalReply>
  /** Shows the final reply. If the reply took long, also notifies the author of the question. */
  showReply(final: FinalReply, signal: AbortSignal): Promise<void>
  /** Removes the placeholder, or the answer in its place, because nobody waits for a reply any more. */
  withdraw(signal: AbortSignal): Promise<void>
  /**
   * Removes duplicate posts. A duplicate arises if a post arrives after its attempt was given up and another attempt has posted
   * the part.
   * @returns the number of removed posts
   */
  removeCopies(signal: AbortSignal): Promise<number>
}

/** One message, and what every delivery of its reply needs. */
export interface DeliveryOrder {
  readonly accepted: AcceptedMessage
  readonly language: () => Language
  readonly ledger: RunLedger
}

export interface DeliveryDeps extends DeliveryOrder {
  readonly destination: ChatDestination
  readonly watcher: RecordWatcher
  readonly budget: EditBudget
  /** A post that timed out may still appear on the platform within this time. */
  readonly landingMs?: number | undefined
  /** The time between two progress edits. Default: `DELIVERY_LIMITS.progressIntervalMs`. */
  readonly progressIntervalMs?: number | undefined
  /** Unix time in milliseconds. */
  readonly now: () => number
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { accepted, ledger, budget } = deps
  const { outbox, progressEditsPerMinute, streams, untilTurn } = deps.destination
  const { place } = accepted.message
  const target = targetOf(accepted.message)
  const workspace = `${place.platform}/${place.workspace}`

  /** Until this time, an edit that timed out may still arrive and overwrite a newer edit. Unix time in milliseconds. */
  let unsettledUntil = 0
  let isPlaceholderRemoved = false
  let inPlaceholder: Progress | undefined

  function post(part: string, rendered: RenderedPart, signal: AbortSignal, looksFirst = false): Promise<PostedOnce> {
    const wanted = { part, marker: markerOf(accepted.runId, part), rendered, looksFirst }
    return postOnce({ outbox, ledger, watcher: deps.watcher, target, untilTurn }, wanted, signal)
  }

  async function firstPart(reply: Reply): Promise<RenderedPart> {
    return (await outbox.render(reply))[0] ?? {}
  }

  async function edit(posted: PostedMessage, rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    await outbox.prepare?.(target, rendered, signal)
    await ledger.assertLatest(signal)
    try {
      await requestInTime(request => outbox.edit(target, posted, rendered, request), signal)
    } catch (error) {
      if (isOfKind(error, 'unavailable')) unsettledUntil = deps.now() + (deps.landingMs ?? DELIVERY_LIMITS.landingMs)
      throw error
    }
  }

  function progressPart(progress: Progress): Promise<RenderedPart> {
    const language = deps.language()
    return firstPart({ kind: 'progress', ...progress, language, actions: [stopAction(accepted.runId, language)] })
  }

  async function ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void> {
    await budget.expect(workspace, accepted.runId, signal)
    await post(FIRST_PART, await progressPart({ lines }), signal)
  }

  /**
   * Shows progress. New rows are shown before any text about them, so that people see the rows sooner. The text follows in the
   * stream or in the next edit.
   * @returns whether another edit must still show the text
   */
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
    const rendered = await progressPart(progress)
    const { posted, fresh } = await post(FIRST_PART, rendered, signal)
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
      untilTurn,
      streams: outbox.streams,
      ledger,
      target,
      marker: markerOf(accepted.runId, STREAM_PART),
      mayBegin: async asked => (await budget.tryTake(`${workspace}/streams`, streams.startsPerMinute, true, asked)) === 0,
      edit: async (posted, progress, asked) => edit(posted, await progressPart(progress), asked),
    })
  }

  /**
   * Ends the stream if there is one. Later, an edit replaces its text with the whole answer.
   * @returns whether there was a stream
   */
  async function endStream(signal: AbortSignal): Promise<boolean> {
    const streamed = await ledger.posted(STREAM_PART, signal)
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

  /** Waits until a post that timed out has appeared, or can no longer appear. */
  async function untilLanded(part: string, signal: AbortSignal): Promise<void> {
    const isOver = async () => !(await ledger.isHeld(part, signal))
    const timeoutMs = deps.landingMs ?? DELIVERY_LIMITS.landingMs
    if (!(await isOver())) await deps.watcher.wait(ledger.channel, { timeoutMs, look: isOver }, signal)
  }

  /**
   * Shows the reply's first part in place of the placeholder. If somebody has removed the placeholder, posts a new message once.
   */
  async function showFirst(rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    const { posted, fresh } = await post(FIRST_PART, rendered, signal)
    // `take` only counts this edit. An answer never waits for the edit budget, because progress leaves enough edits for answers.
    await budget.take(workspace, accepted.runId, progressEditsPerMinute, signal)
    if (fresh) return
    await wait(Math.max(0, unsettledUntil - deps.now()), undefined, { signal })
    try {
      await callOutbox(() => edit(posted, rendered, signal), signal)
    } catch (error) {
      if (!isOfKind(error, 'removed')) throw error
      const again = await post(REPOSTED_FIRST_PART, rendered, signal, true)
      if (!again.fresh) await callOutbox(() => edit(again.posted, rendered, signal), signal)
    }
  }

  return {
    ensurePlaceholder,

    startProgress(firstLines, { mayShow, onFailure }, signal) {
      const stream = streamIfAny()
      const edit = async (progress: Progress) => {
        const isOpen = (progress.table === undefined && progress.answer === undefined) || (await mayShow())
        return showProgress(isOpen ? progress : { lines: progress.lines }, stream, signal)
      }
      const { progressIntervalMs: intervalMs = DELIVERY_LIMITS.progressIntervalMs } = deps
      return startProgressEditor({
        begin: () => ensurePlaceholder(firstLines, signal),
        edit,
        takeFromBudget: isAwaited =>
          stream?.isOpen() && streams !== undefined
            ? budget.tryTake(`${workspace}/appends`, streams.appendsPerMinute, true, signal)
            : budget.tryTake(workspace, progressEditsPerMinute, isAwaited, signal),
        intervalMs,
        awaitedIntervalMs: Math.min(intervalMs, DELIVERY_LIMITS.awaitedIntervalMs),
        onFailure,
      })
    },

    savedReply: signal => savedReply(ledger, accepted, signal),

    async saveReply(reply, signal, options) {
      const slow = options?.isQuiet !== true && deps.now() - accepted.acceptedAt > DELIVERY_LIMITS.notifyMs
      const notification = slow
        ? await firstPart({ kind: 'notification', author: accepted.message.author, language: deps.language() })
        : undefined
      const final = { parts: await outbox.render(reply), notification, rights: rightsOf(accepted.access) } satisfies FinalReply
      await ledger.saveFinal(final, signal)
      return final
    },

    async showReply(final, signal) {
      const [first = {}, ...further] = final.parts
      const isStreamed = await endStream(signal)
      await showFirst(first, signal)
      for (const [index, rendered] of further.entries()) await post(String(index + 2), rendered, signal)
      if (final.notification !== undefined) await post(NOTIFICATION_PART, final.notification, signal)
      if (isStreamed) await removeIfPossible(PLACEHOLDER_PART, signal)
    },

    async withdraw(signal) {
      // The process that accepted the message may be posting the placeholder right now. `post` waits for that, so that the
      // placeholder can be removed.
      const { posted } = await post(FIRST_PART, await progressPart({ lines: [chatWords(deps.language()).stopping] }), signal)
      await budget.take(workspace, accepted.runId, progressEditsPerMinute, signal)
      await callOutbox(() => requestInTime(request => outbox.remove(target, posted, request), signal), signal)
      await endStream(signal)
      await removeIfPossible(STREAM_PART, signal)
    },

    async removeCopies(signal) {
      let removed = 0
      for (const { part, posted } of await ledger.doubtful(signal)) {
        if (posted === undefined) await untilLanded(part, signal)
        const marker = markerOf(accepted.runId, part)
        const found = await requestInTime(request => outbox.find(target, marker, request), signal)
        for (const copy of found.filter(({ id }) => id !== posted?.id)) {
          if (part === STREAM_PART) await requestInTime(request => streamEnded(copy, request), signal)
          await requestInTime(request => outbox.remove(target, copy, request), signal)
          removed += 1
        }
      }
      return removed
    },
  }
}

/**
 * Makes a part's marker. With run ids of up to 21 characters, the marker fits Discord's nonce of 25 characters:
 * https://discord.com/developers/docs/resources/message
 */
function markerOf(runId: string, part: string): string {
  return `${runId}-${part}`
}

function isOfKind(error: unknown, kind: ChatErrorKind): boolean {
  return error instanceof ChatError && error.kind === kind
}
