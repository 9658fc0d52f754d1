import { ChatError } from '../../chat/error.ts'
import type { ChatOutbox, ChatTarget, PostedMessage, RenderedPart } from '../../chat/platform.ts'
import { StoreError } from '../../store/store-error.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import type { RecordWatcher } from '../record-watcher.ts'
import type { ChatDestination } from './chat-destination.ts'
import { callOutbox, requestInTime, ThreadMustWaitError } from './outbox-call.ts'
import type { OwnClaim, PartClaim, RunLedger } from './run-ledger.ts'

export interface PartToPost {
  /** The name of the reply's part in the ledger, such as `1`. */
  readonly part: string
  /** The text that identifies the post on the platform. An existing post can be found by it. */
  readonly marker: string
  readonly rendered: RenderedPart
  /**
   * Whether to search the thread even before the first attempt. This is for a part that replaces a removed one. If the whole
   * thread is gone, the search fails, and nothing must be posted.
   */
  readonly looksFirst?: boolean
}

/** `fresh`: this call has posted the part, so the part needs no edit. */
export interface PostedOnce {
  readonly posted: PostedMessage
  readonly fresh: boolean
}

export interface PostDeps {
  readonly outbox: Pick<ChatOutbox, 'prepare' | 'post' | 'find'>
  readonly ledger: RunLedger
  readonly target: ChatTarget
  readonly untilTurn?: ChatDestination['untilTurn']
}

/**
 * Posts a part of a run unless it exists, even if processes compete or die. A claim lets one process post at a time. If a process
 * dies with a claim, its post may still arrive. So the next process first waits until that is impossible, and then searches for
 * the marker before it posts.
 * @throws ThreadMustWaitError, ChatError, FenceLostError, StoreError
 */
export async function postOnce(
  deps: PostDeps & { readonly watcher: RecordWatcher },
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce> {
  const { ledger, watcher } = deps
  let unanswered = 0

  // Counts unanswered attempts over all rounds of the loop below. `callOutbox` counts only those of one round. A round ends after
  // each of them, because the part is then held and the next attempt returns `held`.
  async function attempt() {
    try {
      return await tryToPost(deps, wanted, signal)
    } catch (error) {
      if (error instanceof ChatError && error.kind === 'unavailable') unanswered += 1
      if (unanswered <= DELIVERY_LIMITS.retries.attempts) throw error
      throw new ThreadMustWaitError(DELIVERY_LIMITS.unavailableWaitMs, error)
    }
  }

  for (;;) {
    const outcome = await callOutbox(attempt, signal)
    if ('posted' in outcome) return outcome
    // The process that held the part may already have recorded its post or released the part. The wait then ends at once.
    const isOver = async () => !(await ledger.isHeld(wanted.part, signal))
    await watcher.wait(ledger.channel, { timeoutMs: outcome.expiresInMs, look: isOver }, signal)
  }
}

/** Makes one attempt to post, without waiting for other processes. `held`: another process has claimed the part. */
export async function tryToPost(
  deps: PostDeps,
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce | Extract<PartClaim, { kind: 'held' }>> {
  const { ledger, outbox, target } = deps
  const { part, marker, rendered } = wanted
  // A post that has begun is not aborted: it may still arrive, and must then be recorded.
  const toTheEnd = new AbortController().signal

  const look = () => requestInTime(request => outbox.find(target, marker, request), toTheEnd)

  async function lookWith(claim: OwnClaim): Promise<PostedMessage | undefined> {
    try {
      return (await look())[0]
    } catch (error) {
      await ledger.unclaim(part, claim, 'not_posted', toTheEnd)
      throw error
    }
  }

  async function postWith(claim: OwnClaim): Promise<PostedOnce> {
    try {
      const posted = await requestInTime(request => outbox.post(target, rendered, marker, request), toTheEnd)
      return { posted: await ledger.record(part, posted, false, toTheEnd), fresh: true }
    } catch (error) {
      if (error instanceof StoreError) throw error
      const isInDoubt = !(error instanceof ChatError) || error.kind === 'unavailable' || error.kind === 'cancelled'
      // In doubt, search for the post. It usually exists, and only the response was lost.
      const [found] = isInDoubt ? await look().catch(() => []) : []
      if (found !== undefined) return { posted: await ledger.record(part, found, false, toTheEnd), fresh: false }
      await ledger.unclaim(part, claim, isInDoubt ? 'in_doubt' : 'not_posted', toTheEnd)
      throw error
    }
  }

  signal.throwIfAborted()
  const earlier = await ledger.posted(part, signal)
  if (earlier !== undefined) return { posted: earlier, fresh: false }
  // Long waits come before the claim. If a process dies while it has a claim, other processes cannot post the part for seconds.
  await outbox.prepare?.(target, rendered, signal)
  await deps.untilTurn?.(target, signal)
  const claim = await ledger.claim(part, signal)
  if (claim.kind === 'posted') return { posted: claim.posted, fresh: false }
  if (claim.kind === 'held') return claim
  if (!claim.isDoubtful && wanted.looksFirst !== true) return postWith(claim)
  const found = await lookWith(claim)
  if (found !== undefined) return { posted: await ledger.record(part, found, true, toTheEnd), fresh: false }
  // If the search finds nothing, the earlier post can no longer arrive, so the next claim needs no search.
  return (await ledger.renew(part, claim, toTheEnd)) ? postWith({ ...claim, isDoubtful: false }) : tryToPost(deps, wanted, signal)
}
