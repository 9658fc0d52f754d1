import { type ChatOutbox, type PostedMessage, type RenderedPart, targetOf } from '../bots/chat-platform.ts'
import type { Reply } from '../bots/reply.ts'
import type { AcceptedMessage } from './accepted-message.ts'
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
}

/**
 * Shows what one message gets: part 1 is the placeholder, into which progress and then the answer are edited; further parts follow it. Each is
 * posted once and only once, whichever process posts it and whichever dies. Methods throw ChatError (`gone`, `forbidden`, `authentication`,
 * `rejected`), ThreadMustWaitError, FenceLostError and StoreError.
 */
export interface Delivery {
  ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void>
  /** @param onFailure told once, when nothing can be shown for this message */
  startProgress(firstLines: readonly string[], onFailure: (error: unknown) => void, signal: AbortSignal): ProgressEditor
  /** The final reply of an earlier attempt at this run, which then need not be made again. */
  savedReply(signal: AbortSignal): Promise<FinalReply | undefined>
  /** Renders the final reply and keeps it, so that it survives this process. */
  saveReply(reply: Reply, signal: AbortSignal): Promise<FinalReply>
  /** Shows the final reply, and notifies its author if it was slow in coming. */
  showReply(final: FinalReply, signal: AbortSignal): Promise<void>
}

export interface DeliveryDeps {
  readonly accepted: AcceptedMessage
  readonly destination: ChatDestination
  readonly ledger: RunLedger
  readonly watcher: RecordWatcher
  readonly budget: EditBudget
  /** Unix time in milliseconds. */
  readonly now: () => number
}

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { accepted, ledger, budget } = deps
  const { outbox, progressEditsPerMinute } = deps.destination
  const { place } = accepted.message
  const target = targetOf(accepted.message)
  const workspace = `${place.platform}/${place.workspace}`

  function post(part: number, rendered: RenderedPart, signal: AbortSignal): Promise<PostedOnce> {
    const wanted = { part: String(part), marker: markerOf(accepted.runId, part), rendered }
    return postOnce({ outbox, ledger, watcher: deps.watcher, target }, wanted, signal)
  }

  function firstPart(reply: Reply): RenderedPart {
    return outbox.render(reply)[0] ?? {}
  }

  async function edit(posted: PostedMessage, rendered: RenderedPart, signal: AbortSignal): Promise<void> {
    await ledger.assertLatest(signal)
    await requestInTime(request => outbox.edit(target, posted, rendered, request), signal)
  }

  async function ensurePlaceholder(lines: readonly string[], signal: AbortSignal): Promise<void> {
    if ((await ledger.posted('1', signal)) === undefined) await post(1, firstPart({ kind: 'progress', lines }), signal)
  }

  return {
    ensurePlaceholder,

    startProgress(firstLines, onFailure, signal) {
      return startProgressEditor({
        begin: () => ensurePlaceholder(firstLines, signal),
        async edit(lines) {
          const rendered = firstPart({ kind: 'progress', lines })
          const { posted, fresh } = await post(1, rendered, signal)
          if (!fresh) await edit(posted, rendered, signal)
        },
        takeFromBudget: () => budget.tryTake(workspace, progressEditsPerMinute, signal),
        intervalMs: DELIVERY_LIMITS.progressIntervalMs,
        onFailure,
      })
    },

    savedReply: signal => ledger.final(signal),

    async saveReply(reply, signal) {
      const slow = deps.now() - accepted.acceptedAt > DELIVERY_LIMITS.notifyMs
      const notification = slow ? firstPart({ kind: 'notification', author: accepted.message.author }) : undefined
      const final = { parts: outbox.render(reply), notification } satisfies FinalReply
      await ledger.saveFinal(final, signal)
      return final
    },

    async showReply(final, signal) {
      for (const [index, rendered] of final.parts.entries()) {
        const { posted, fresh } = await post(index + 1, rendered, signal)
        if (index > 0 || fresh) continue
        // An answer never waits for the budget: it is progress that gives way.
        await budget.take(workspace, progressEditsPerMinute, signal)
        await callOutbox(() => edit(posted, rendered, signal), signal)
      }
      if (final.notification !== undefined) await post(NOTIFICATION_PART, final.notification, signal)
    },
  }
}

const NOTIFICATION_PART = 0

/** Short enough for Discord's nonce (25 characters) with run ids of up to 21 characters: https://discord.com/developers/docs/resources/message */
function markerOf(runId: string, part: number): string {
  return `${runId}-${part}`
}
