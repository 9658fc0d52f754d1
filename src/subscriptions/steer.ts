import { z } from 'zod'
import { jitterOf, nextDue } from '../agent/subscribe/schedule.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'
import type { Subscriptions } from './store.ts'
import type { Subscription } from './subscription.ts'

export const steeringSchema = z.enum(['pause', 'resume', 'run', 'delete'])
export type Steering = z.infer<typeof steeringSchema>

/**
 * Pauses, resumes or deletes a subscription, or has it run now. A run under way is dropped by all but `run`. One that is paused or
 * stopped does not run now. One that has ended stays so if its owner has no room for it.
 * @returns the subscription as it then is; undefined if there is none
 * @throws StoreError
 */
export async function steer(
  { subscriptions, now }: { readonly subscriptions: Subscriptions; readonly now: () => number },
  id: string,
  steering: Steering,
  signal: AbortSignal,
): Promise<Subscription | undefined> {
  const others = steering === 'resume' ? await subscriptions.all(signal) : []
  const isKept = (each: Subscription) => each.status === 'ended' && isFull(others, each)
  const found = await subscriptions.change(id, each => (isKept(each) ? each : steered(each, steering, now())), signal)
  if (found === undefined) return undefined
  if (steering === 'delete') await subscriptions.remove(id, signal)
  else await subscriptions.wake(found, signal)
  return found
}

/** Whether the owner of a subscription has as many others as one may have. Ended ones do not count. */
export function isFull(
  all: readonly Subscription[],
  { id, owner, place }: Pick<Subscription, 'id' | 'owner' | 'place'>,
): boolean {
  const others = all.filter(each => each.id !== id && each.owner === owner && each.place.platform === place.platform)
  return others.filter(({ status }) => status !== 'ended').length >= SUBSCRIPTION_LIMITS.mostOfOne
}

function steered(subscription: Subscription, steering: Steering, now: number): Subscription {
  switch (steering) {
    case 'pause':
      return { ...subscription, status: 'paused', running: null }
    case 'resume': {
      const next = nextDue(subscription.recurrence, now)
      if (next === undefined) return { ...subscription, status: 'ended' }
      return { ...subscription, status: 'active', running: null, isFailing: false, next }
    }
    case 'run':
      return { ...subscription, next: Math.min(subscription.next, now - jitterOf(subscription)) }
    case 'delete':
      return subscription
  }
}
