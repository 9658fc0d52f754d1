import { z } from 'zod'
import { conditionInWords, recurrenceInWords } from '../agent/subscribe/in-words.ts'
import { type Steering, steer } from './steer.ts'
import type { Subscriptions } from './store.ts'
import { ownerOf, type Subscription, type SubscriptionRun, subscriptionSchema } from './subscription.ts'

const { kind, status, alert, history } = subscriptionSchema.shape
const { outcome } = history.element.shape

/** A subscription as its owner sees it, in English. What others may not see of it is null. */
export const shownSubscriptionSchema = z.object({
  ...{ id: z.string(), kind, status },
  /** As `slack/U1`. */
  owner: z.string(),
  question: z.string().nullable(),
  schedule: z.string(),
  condition: z.string().nullable(),
  /** When it is next due. Null unless it is active. */
  next: z.iso.datetime().nullable(),
  /** How an alert stands. Null for a report. */
  alert: alert.shape.state.nullable(),
  /** How the last run ended. Null if there was none. */
  last: outcome.nullable(),
})
export type ShownSubscription = z.infer<typeof shownSubscriptionSchema>

/** One that is looked into: with its SQL, and with its runs, the latest first. */
export const subscriptionWithRunsSchema = shownSubscriptionSchema.extend({
  sql: z.array(z.string()).nullable(),
  runs: z.array(
    history.element.pick({ outcome: true, missed: true, firing: true, rows: true, tokens: true, cost: true }).extend({
      ...{ due: z.iso.datetime(), is_late: z.boolean() },
      /** Whether the work gate was open. Null if there is none, or if the run read nothing. */
      gate: z.enum(['open', 'closed']).nullable(),
      /** The run of a report or an alert that was shown. */
      run_id: z.string().nullable(),
    }),
  ),
})
export type SubscriptionWithRuns = z.infer<typeof subscriptionWithRunsSchema>

/** Who looks: the person, as `slack/U1`, and the digest of their rights if they see everybody's. */
export interface SubscriptionViewer {
  readonly person: string
  readonly all?: { readonly rights: string | null }
}

export type ShownSubscriptions = ReturnType<typeof shownSubscriptions>

/** Subscriptions for those who may see and steer them: their owners, and whoever sees everybody's. Methods throw StoreError. */
export function shownSubscriptions(subscriptions: Subscriptions) {
  return {
    async list(viewer: SubscriptionViewer, signal: AbortSignal): Promise<ShownSubscription[]> {
      const all = await subscriptions.all(signal, viewer.all ? undefined : viewer.person)
      return all.map(each => shownSubscriptionSchema.parse(shownTo(viewer, each)))
    },
    /** Returns undefined if there is none, or none that the viewer may see. */
    async find(id: string, viewer: SubscriptionViewer, signal: AbortSignal): Promise<SubscriptionWithRuns | undefined> {
      const found = await subscriptions.find(id, signal)
      return found && (viewer.all || ownerOf(found) === viewer.person) ? shownTo(viewer, found) : undefined
    },
    /** Returns the subscription as it then is, like `find`. */
    async steer(id: string, steering: Steering, viewer: SubscriptionViewer, signal: AbortSignal) {
      const steered = (await this.find(id, viewer, signal)) && (await steer(subscriptions, id, steering, signal))
      return steered && shownSubscriptionSchema.parse(shownTo(viewer, steered))
    },
  }
}

/** The owner sees all of it. Another sees its question only if everybody in the channel does, and with the rights of its runs. */
function shownTo({ person, all }: SubscriptionViewer, subscription: Subscription): SubscriptionWithRuns {
  const { id, kind, status, recurrence, condition, next, plan, alert, history, openTo } = subscription
  const owner = ownerOf(subscription)
  const last = history.at(-1)
  const isSeen = owner === person || (openTo !== null && openTo.rights === all?.rights)
  return {
    ...{ id, kind, status, owner, schedule: recurrenceInWords(recurrence, 'en') },
    question: isSeen ? plan.question : null,
    condition: condition !== null && isSeen ? conditionInWords(condition, 'en') : null,
    next: status === 'active' ? new Date(next).toISOString() : null,
    alert: kind === 'alert' ? alert.state : null,
    last: last?.outcome ?? null,
    sql: isSeen ? [...(plan.gate === null ? [] : [plan.gate]), ...plan.queries.map(query => query.sql)] : null,
    runs: history.map(run => shownRun(run, plan.gate !== null)).reverse(),
  }
}

function shownRun(run: SubscriptionRun, hasGate: boolean): SubscriptionWithRuns['runs'][number] {
  const { due, outcome, isLate, missed, firing, rows, tokens, cost } = run
  const isRead = outcome === 'told' || outcome === 'quiet'
  return {
    ...{ due: new Date(due).toISOString(), outcome, is_late: isLate, missed, firing, rows, tokens, cost },
    gate: !hasGate ? null : outcome === 'no_new_data' ? 'closed' : isRead ? 'open' : null,
    run_id: run.isReport ? run.runId : null,
  }
}
