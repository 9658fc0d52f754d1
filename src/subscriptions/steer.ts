import { z } from 'zod'
import { jitterOf, nextDue } from '../agent/subscribe/schedule.ts'
import type { ChatMessage } from '../chat/event.ts'
import type { Subscriptions } from './store.ts'
import { ownerOf, type Subscription } from './subscription.ts'

export const steeringSchema = z.enum(['pause', 'resume', 'run', 'delete'])
export type Steering = z.infer<typeof steeringSchema>

/** The changes by which a subscription is steered. */
const CHANGES: Readonly<Record<Steering, (known: Subscription, now: number) => Subscription>> = {
  // One that has stopped or ended goes on telling so.
  pause: known => (known.status === 'active' ? { ...known, status: 'paused', running: null } : known),
  resume: (known, now) => {
    const next = nextDue(known.recurrence, now)
    if (next === undefined) return { ...known, status: 'ended' }
    return { ...known, status: 'active', running: null, isFailing: false, next }
  },
  run: (known, now) => ({ ...known, next: Math.min(known.next, now - jitterOf(known)) }),
  delete: known => known,
}

/**
 * Pauses, resumes or deletes a subscription, or has it run now. A run under way is dropped by all but `run`. Only an active one can
 * be paused, or run now. One that has ended stays so if its owner has no room for it.
 * @returns the subscription as it then is; undefined if there is none
 * @throws StoreError
 */
export async function steer(subscriptions: Subscriptions, id: string, steering: Steering, signal: AbortSignal) {
  const known = steering === 'resume' ? await subscriptions.find(id, signal) : undefined
  const change = () => subscriptions.change(id, each => CHANGES[steering](each, subscriptions.now()), signal)
  if (known?.status === 'ended') return (await subscriptions.ifRoom(ownerOf(known), id, change, signal)) ?? known
  const found = await change()
  if (found !== undefined && steering === 'delete') await subscriptions.remove(id, signal)
  return found
}

/** Whether a subscription is as it was steered. If not, its status says why. */
export function isSteered({ status }: Subscription, steering: Steering): boolean {
  return steering === 'delete' || status === (steering === 'pause' ? 'paused' : 'active')
}

/** Pauses the subscription of a due run whose place takes no replies any more. Each further run would cost, and reach nobody. */
export function pauseUnreachable(subscriptions: Subscriptions) {
  return async ({ due }: Pick<ChatMessage, 'due'>, signal: AbortSignal): Promise<void> => {
    const pause = (now: Subscription): Subscription => (now.status === 'active' ? CHANGES.pause(now, 0) : now)
    if (due !== undefined) await subscriptions.change(due.subscription, pause, signal)
  }
}
