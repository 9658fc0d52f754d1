import { ChatError } from '../../chat/error.ts'
import type { ChatOutbox, ChatTarget, PostedMessage, RenderedPart } from '../../chat/platform.ts'
import { StoreError } from '../../store/store-error.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import type { RecordWatcher } from '../record-watcher.ts'
import type { ChatDestination } from './chat-destination.ts'
import { callOutbox, requestInTime, ThreadMustWaitError } from './outbox-call.ts'
import type { OwnClaim, PartClaim, RunLedger } from './run-ledger.ts'

export interface PartToPost {
  /** The part's name in the ledger. */
  readonly part: string
  /** Finds the post on the platform if it may already exist. */
  readonly marker: string
  readonly rendered: RenderedPart
  /** Searches the thread even before the first attempt. A replacement part needs this: a thread that is gone must get no post. */
  readonly looksFirst?: boolean
}

/** `fresh`: this call posted the part, so it shows the wanted text. */
export interface PostedOnce {
  readonly posted: PostedMessage
  readonly fresh: boolean
}

export interface PostDeps {
  readonly outbox: Pick<ChatOutbox, 'post' | 'find'>
  readonly ledger: RunLedger
  readonly target: ChatTarget
  readonly untilTurn?: ChatDestination['untilTurn']
}

/**
 * Posts a part of a run unless it exists, even if processes race or die. A claim lets one process post at a time. After a claim
 * without a record, the marker is searched before another post, once the first can no longer arrive.
 * @throws ThreadMustWaitError, ChatError, FenceLostError, StoreError
 */
export async function postOnce(
  deps: PostDeps & { readonly watcher: RecordWatcher },
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce> {
  const { ledger, watcher } = deps
  let unanswered = 0

  // Counted across all calls below, because an unanswered post keeps the part held and so ends its call.
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
    // The holder may have recorded the part or released it meanwhile.
    const isOver = async () => !(await ledger.isHeld(wanted.part, signal))
    await watcher.wait(ledger.channel, { timeoutMs: outcome.expiresInMs, look: isOver }, signal)
  }
}

/**
 * Makes one attempt, and waits for no other process. `held`: another process has the part.
 * @throws ChatError, FenceLostError, StoreError
 */
export async function tryToPost(
  deps: PostDeps,
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce | Extract<PartClaim, { kind: 'held' }>> {
  const { ledger, outbox, target } = deps
  const { part, marker, rendered } = wanted
  // A started post runs to the end, because it may arrive anyway and must then be on record.
  const toTheEnd = new AbortController().signal

  const look = () => requestInTime(request => outbox.find(target, marker, request), toTheEnd)

  /** Finds the post of an earlier attempt. */
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
      // Usually only the response is lost, and the post exists.
      const [found] = isInDoubt ? await look().catch(() => []) : []
      if (found !== undefined) return { posted: await ledger.record(part, found, false, toTheEnd), fresh: false }
      await ledger.unclaim(part, claim, isInDoubt ? 'in_doubt' : 'not_posted', toTheEnd)
      throw error
    }
  }

  signal.throwIfAborted()
  const earlier = await ledger.posted(part, signal)
  if (earlier !== undefined) return { posted: earlier, fresh: false }
  // Before the claim: a process that dies with a claim keeps others from the part for seconds.
  await deps.untilTurn?.(target, signal)
  const claim = await ledger.claim(part, signal)
  if (claim.kind === 'posted') return { posted: claim.posted, fresh: false }
  if (claim.kind === 'held') return claim
  if (!claim.isDoubtful && wanted.looksFirst !== true) return postWith(claim)
  const found = await lookWith(claim)
  if (found !== undefined) return { posted: await ledger.record(part, found, true, toTheEnd), fresh: false }
  // A post that is missing by now can no longer arrive, so it needs no further search.
  return (await ledger.renew(part, claim, toTheEnd)) ? postWith({ ...claim, isDoubtful: false }) : tryToPost(deps, wanted, signal)
}
