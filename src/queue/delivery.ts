import { setTimeout as wait } from 'node:timers/promises'
import { stopAction } from '../bots/actions/run-actions.ts'
import { ChatError, type ChatErrorKind } from '../bots/chat-error.ts'
import { type ChatOutbox, type PostedMessage, type RenderedPart, targetOf } from '../bots/chat-platform.ts'
import type { Reply } from '../bots/reply.ts'
import type { AcceptedMessage } from './accepted-message.ts'
import { FIRST, FIRST_AGAIN, NOTIFICATION } from './answer-parts.ts'
import type { EditBudget } from './edit-budget.ts'
import { DELIVERY_LIMITS } from './limits.ts'
import { callOutbox, requestInTime } from './outbox-call.ts'
import { type PostedOnce, postOnce } from './post-once.ts'
import { type ProgressEditor, startProgressEditor } from './progress-editor.ts'
import type { RecordWatcher } from './record-watcher.ts'
import type { FinalReply, RunLedger } from './run-ledger.ts'

/** A platform as the queue sees it. */
export interface ChatDestination {
  readonly outbox: ChatOutbox
  /** How many edits progress may make a minute in one workspace, by the platform's limits; the rest is left to answers. */
  readonly progressEditsPerMinute: number
  /** What all processes together may ask of it in a second, where it limits that. */
  readonly requestsPerSecond?: number
  /** Between two posts in one channel, where it limits that. */
  readonly postIntervalMs?: number
}

/**
 * Shows what one message gets: part 1 is the placeholder, into which progress and then the answer are edited; further parts follow it. Each is
 * posted once and only once, whichever process posts it and whichever dies. Methods throw ChatError (`removed`, `gone`, `forbidden`, `authentication`,
 * `rejected`), ThreadMustWaitError, FenceLostError and StoreError.
 */
export interface Delivery {
  ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void>
  /** @param onFailure told once, when nothing can be shown for this message */
  startProgress(firstLines: readonly string[], onFailure: (error: unknown) => void, signal: AbortSignal): ProgressEditor
  /** The final reply of an earlier attempt at this run, which then need not be made again. */
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
  readonly ledger: RunLedger
  readonly watcher: RecordWatcher
  readonly budget: EditBudget
  /** As for the ledger. */
  readonly landingMs?: number
  /** Unix time in milliseconds. */
  readonly now: () => number
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { accepted, ledger, budget } = deps
  const { outbox, progressEditsPerMinute } = deps.destination
  const { place } = accepted.message
  const target = targetOf(accepted.message)
  const workspace = `${place.platform}/${place.workspace}`

  /** Until when an edit that was given up may still arrive, and show again what was overtaken. */
  let unsettledUntil = 0
  let isPlaceholderRemoved = false

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

  function progressPart(lines: readonly string[]): RenderedPart {
    return firstPart({ kind: 'progress', lines, actions: [stopAction(accepted.runId)] })
  }

  async function ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void> {
    await budget.expect(workspace, accepted.runId, signal)
    if ((await ledger.posted(FIRST, signal)) === undefined) await post(FIRST, progressPart(lines), signal)
  }

  async function showProgress(lines: readonly string[], signal: AbortSignal): Promise<void> {
    if (isPlaceholderRemoved) return
    const rendered = progressPart(lines)
    const { posted, fresh } = await post(FIRST, rendered, signal)
    if (fresh) return
    await edit(posted, rendered, signal).catch((error: unknown) => {
      if (!isOfKind(error, 'removed')) throw error
      isPlaceholderRemoved = true
    })
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
      return startProgressEditor({
        begin: () => ensurePlaceholder(firstLines, signal),
        edit: lines => showProgress(lines, signal),
        takeFromBudget: () => budget.tryTake(workspace, progressEditsPerMinute, signal),
        intervalMs: DELIVERY_LIMITS.progressIntervalMs,
        onFailure,
      })
    },

    savedReply: signal => ledger.final(signal),

    async saveReply(reply, signal, options) {
      const slow = options?.isQuiet !== true && deps.now() - accepted.acceptedAt > DELIVERY_LIMITS.notifyMs
      const notification = slow ? firstPart({ kind: 'notification', author: accepted.message.author }) : undefined
      const final = { parts: outbox.render(reply), notification } satisfies FinalReply
      await ledger.saveFinal(final, signal)
      return final
    },

    async showReply(final, signal) {
      const [first = {}, ...further] = final.parts
      await showFirst(first, signal)
      for (const [index, rendered] of further.entries()) await post(String(index + 2), rendered, signal)
      if (final.notification !== undefined) await post(NOTIFICATION, final.notification, signal)
    },

    async withdraw(signal) {
      // Whoever accepted the message may be about to post it: posting it here waits for that.
      const { posted } = await post(FIRST, progressPart(['Stopping …']), signal)
      await budget.take(workspace, accepted.runId, progressEditsPerMinute, signal)
      await callOutbox(() => requestInTime(request => outbox.remove(target, posted, request), signal), signal)
    },

    async removeCopies(signal) {
      let removed = 0
      for (const { part, posted } of await ledger.doubtful(signal)) {
        const marker = markerOf(accepted.runId, part)
        const found = await requestInTime(request => outbox.find(target, marker, request), signal)
        for (const copy of found.filter(({ id }) => id !== posted.id)) {
          await requestInTime(request => outbox.remove(target, copy, request), signal)
          removed += 1
        }
      }
      return removed
    },
  }
}

/** Short enough for Discord's nonce (25 characters) with run ids of up to 21 characters: https://discord.com/developers/docs/resources/message */
function markerOf(runId: string, part: string): string {
  return `${runId}-${part}`
}

function isOfKind(error: unknown, kind: ChatErrorKind): boolean {
  return error instanceof ChatError && error.kind === kind
}
