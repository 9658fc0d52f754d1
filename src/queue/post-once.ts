import { ChatError } from '../bots/chat-error.ts'
import type { ChatOutbox, ChatTarget, PostedMessage, RenderedPart } from '../bots/chat-platform.ts'
import { callOutbox, requestInTime } from './outbox-call.ts'
import type { RecordWatcher } from './record-watcher.ts'
import type { PartClaim, RunLedger } from './run-ledger.ts'

export interface PartToPost {
  /** Its name in the ledger. */
  readonly part: string
  /** What the platform is asked for when it may have been posted already. */
  readonly marker: string
  readonly rendered: RenderedPart
}

/** `fresh`: posted by this very call, so it shows what was to be shown. */
export interface PostedOnce {
  readonly posted: PostedMessage
  readonly fresh: boolean
}

/**
 * Posts a part of a run unless it is there already, whoever else tries and whoever has died trying: the claim lets one process post at a time,
 * and where a claim went without a record, the marker is looked up before anything is posted again.
 * @throws ThreadMustWaitError, ChatError, FenceLostError, StoreError
 */
export async function postOnce(
  deps: { readonly outbox: ChatOutbox; readonly ledger: RunLedger; readonly watcher: RecordWatcher; readonly target: ChatTarget },
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce> {
  const { ledger, outbox, target } = deps
  // A post that has begun is not called off: it may arrive all the same, and then it must be on record.
  const toTheEnd = new AbortController().signal

  async function attempt(): Promise<PostedOnce | Extract<PartClaim, { kind: 'held' }>> {
    signal.throwIfAborted()
    const claim = await ledger.claim(wanted.part, signal)
    if (claim.kind === 'posted') return { posted: claim.posted, fresh: false }
    if (claim.kind === 'held') return claim
    try {
      const found = claim.earlier
        ? await requestInTime(request => outbox.find(target, wanted.marker, request), toTheEnd)
        : undefined
      const posted =
        found ?? (await requestInTime(request => outbox.post(target, wanted.rendered, wanted.marker, request), toTheEnd))
      return { posted: await ledger.record(wanted.part, posted, toTheEnd), fresh: found === undefined }
    } catch (error) {
      const surelyNotPosted = error instanceof ChatError && error.kind !== 'unavailable' && error.kind !== 'cancelled'
      await ledger.unclaim(wanted.part, surelyNotPosted, toTheEnd)
      throw error
    }
  }

  for (;;) {
    const outcome = await callOutbox(attempt, signal)
    if ('posted' in outcome) return outcome
    const look = async () => (await ledger.posted(wanted.part, signal)) !== undefined
    await deps.watcher.wait(ledger.channel, { timeoutMs: outcome.expiresInMs, look }, signal)
  }
}
