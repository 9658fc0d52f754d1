import { ChatError } from '../bots/chat-error.ts'
import type { ChatOutbox, ChatTarget, PostedMessage, RenderedPart } from '../bots/chat-platform.ts'
import { StoreError } from '../store/store-error.ts'
import { DELIVERY_LIMITS } from './limits.ts'
import { callOutbox, requestInTime, ThreadMustWaitError } from './outbox-call.ts'
import type { RecordWatcher } from './record-watcher.ts'
import type { OwnClaim, PartClaim, RunLedger } from './run-ledger.ts'

export interface PartToPost {
  /** Its name in the ledger. */
  readonly part: string
  /** What the platform is asked for when it may have been posted already. */
  readonly marker: string
  readonly rendered: RenderedPart
  /** It stands in for one that somebody has removed: the thread is looked at before the first post too, so that nothing is posted where that is gone. */
  readonly looksFirst?: boolean
}

/** `fresh`: posted by this very call, so it shows what was to be shown. */
export interface PostedOnce {
  readonly posted: PostedMessage
  readonly fresh: boolean
}

export interface PostDeps {
  readonly outbox: Pick<ChatOutbox, 'post' | 'find'>
  readonly ledger: RunLedger
  readonly target: ChatTarget
}

/**
 * Posts a part of a run unless it is there already, whoever else tries and whoever has died trying: the claim lets one process post at a time,
 * and where a claim went without a record, the marker is looked up before anything is posted again, when what was under way has had its time to arrive.
 * @throws ThreadMustWaitError, ChatError, FenceLostError, StoreError
 */
export async function postOnce(
  deps: PostDeps & { readonly watcher: RecordWatcher },
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce> {
  const { ledger, watcher } = deps
  let unanswered = 0

  // Counted over all of the calls below: each post that went unanswered holds the part, which ends the call that made it.
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
    // Whoever had it may have recorded it or given it back since.
    const isOver = async () => !(await ledger.isHeld(wanted.part, signal))
    await watcher.wait(ledger.channel, { timeoutMs: outcome.expiresInMs, look: isOver }, signal)
  }
}

/**
 * One attempt of that, which waits for nobody: `held` where somebody else has the part.
 * @throws ChatError, FenceLostError, StoreError
 */
export async function tryToPost(
  deps: PostDeps,
  wanted: PartToPost,
  signal: AbortSignal,
): Promise<PostedOnce | Extract<PartClaim, { kind: 'held' }>> {
  const { ledger, outbox, target } = deps
  const { part, marker, rendered } = wanted
  // A post that has begun is not called off: it may arrive all the same, and then it must be on record.
  const toTheEnd = new AbortController().signal

  const look = () => requestInTime(request => outbox.find(target, marker, request), toTheEnd)

  /** What an earlier attempt has posted. */
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
      // As a rule only the answer is lost, and the post is there.
      const [found] = isInDoubt ? await look().catch(() => []) : []
      if (found !== undefined) return { posted: await ledger.record(part, found, false, toTheEnd), fresh: false }
      await ledger.unclaim(part, claim, isInDoubt ? 'in_doubt' : 'not_posted', toTheEnd)
      throw error
    }
  }

  signal.throwIfAborted()
  const claim = await ledger.claim(part, signal)
  if (claim.kind === 'posted') return { posted: claim.posted, fresh: false }
  if (claim.kind === 'held') return claim
  if (!claim.isDoubtful && wanted.looksFirst !== true) return postWith(claim)
  const found = await lookWith(claim)
  if (found !== undefined) return { posted: await ledger.record(part, found, true, toTheEnd), fresh: false }
  // What is not there after its time to arrive need not be looked for again.
  return (await ledger.renew(part, claim, toTheEnd)) ? postWith({ ...claim, isDoubtful: false }) : tryToPost(deps, wanted, signal)
}
