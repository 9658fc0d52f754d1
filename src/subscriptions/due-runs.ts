import { jitterOf, lastDue, nextDue } from '../agent/subscribe/schedule.ts'
import { errorMessage } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { repeat } from '../base/repeat.ts'
import type { ChatMessage } from '../chat/event.ts'
import type { Acceptor } from '../queue/accept/acceptor.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import type { Subscriptions } from './store.ts'
import { type Subscription, withRun } from './subscription.ts'

export interface DueRunsDeps {
  readonly subscriptions: Subscriptions
  /** Puts a due run into its thread, as a message of the subscription's owner. */
  readonly acceptor: Pick<Acceptor, 'accept'>
  readonly logger: Logger
}

/**
 * Starts every run that is due. A due time is claimed by changing the subscription, so only one process claims it. The message of
 * the run has an id made of subscription and due time, and is accepted until the run has ended: once, however often it is tried.
 * @throws StoreError
 */
export async function startDueRuns({ subscriptions, acceptor, logger }: DueRunsDeps, signal: AbortSignal): Promise<void> {
  for (const id of await subscriptions.due(signal)) {
    const claimed = await subscriptions.change(id, known => claim(known, subscriptions.now()), signal)
    if (claimed === undefined) await subscriptions.setAside(id, signal)
    if (!claimed?.running) continue
    const { due } = claimed.running
    const { outcome } = await acceptor.accept(messageOf(claimed, due))
    if (outcome === 'accepted') logger.info({ subscription: id, due }, 'due run started')
  }
}

/** Claims the latest due time, unless a run is under way. A run that does not end is given up first. */
function claim(subscription: Subscription, now: number): Subscription {
  const { running, status, next, recurrence } = subscription
  if (running !== null && now - running.startedAt < SUBSCRIPTION_LIMITS.stuckMs) return subscription
  if (running !== null) return withRun(subscription, { ...running, outcome: 'lost' })
  const jitter = jitterOf(subscription)
  if (status !== 'active' || next + jitter > now) return subscription
  const { due, missed } = lastDue(recurrence, next, now - jitter)
  const isLate = now - due - jitter > SUBSCRIPTION_LIMITS.lateMs
  const after = nextDue(recurrence, due)
  const ends = after === undefined && { status: 'ended' as const }
  return { ...subscription, running: { due, missed, isLate, startedAt: now }, next: after ?? due, ...ends }
}

/** Makes the message that stands for a due run. Its id, and so the id of its run, is the same in every process. */
export function messageOf({ id, owner, place, language, plan }: Subscription, due: number): ChatMessage {
  return {
    place,
    messageId: `${id}-${due}`,
    order: due * 1000,
    author: owner,
    text: plan.question,
    addressed: true,
    language,
    due: { subscription: id, at: due },
  }
}

/** Starts due runs until it is closed. */
export function createDueRuns(deps: DueRunsDeps): { close(): Promise<void> } {
  const stopping = new AbortController()
  const onError = (error: unknown) => deps.logger.warn({ error: errorMessage(error) }, 'due runs could not be started')
  const timing = { everyMs: SUBSCRIPTION_LIMITS.tickMs, onError }
  const running = repeat(signal => startDueRuns(deps, signal), timing, stopping.signal)
  return {
    close() {
      stopping.abort()
      return running
    },
  }
}
