import { z } from 'zod'
import { conditionInWords, recurrenceInWords } from '../agent/subscribe/in-words.ts'
import { askerName } from '../queue/asker.ts'
import { type Steering, steer } from './steer.ts'
import type { Subscriptions } from './store.ts'
import { type Subscription, type SubscriptionRun, subscriptionSchema } from './subscription.ts'

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
    z.object({
      due: z.iso.datetime(),
      ...{ outcome, is_late: z.boolean(), missed: z.number() },
      /** Whether the work gate was open. Null if there is none, or if the run read nothing. */
      gate: z.enum(['open', 'closed']).nullable(),
      /** The rows for which the condition held. Null if there is none, or if it could not be checked. */
      firing: z.number().nullable(),
      ...{ rows: z.number(), tokens: z.number() },
      /** In US dollars. Null if it is unknown, or if no model was asked. */
      cost: z.number().nullable(),
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

/** Subscriptions for those who may see and steer them: their owners, and whoever sees everybody's. Methods throw StoreError. */
export class ShownSubscriptions {
  readonly #deps: { readonly subscriptions: Subscriptions; readonly now: () => number }

  constructor(deps: { readonly subscriptions: Subscriptions; readonly now: () => number }) {
    this.#deps = deps
  }

  async list(viewer: SubscriptionViewer, signal: AbortSignal): Promise<ShownSubscription[]> {
    const all = await this.#deps.subscriptions.all(signal)
    return all.filter(each => isListed(each, viewer)).map(each => shownTo(viewer, each))
  }

  /** Returns undefined if there is none, or none that the viewer may see. */
  async find(id: string, viewer: SubscriptionViewer, signal: AbortSignal): Promise<SubscriptionWithRuns | undefined> {
    const found = await this.#deps.subscriptions.find(id, signal)
    if (found === undefined || !isListed(found, viewer)) return undefined
    const { plan } = found
    const sql = [...(plan.gate === null ? [] : [plan.gate]), ...plan.queries.map(query => query.sql)]
    const runs = found.history.map(run => shownRun(run, plan.gate !== null)).reverse()
    return { ...shownTo(viewer, found), sql: seesContent(found, viewer) ? sql : null, runs }
  }

  /** Returns the subscription as it then is, like `find`. */
  async steer(id: string, steering: Steering, viewer: SubscriptionViewer, signal: AbortSignal) {
    if ((await this.find(id, viewer, signal)) === undefined) return undefined
    const steered = await steer(this.#deps, id, steering, signal)
    return steered && shownTo(viewer, steered)
  }
}

function isListed(subscription: Subscription, { person, all }: SubscriptionViewer): boolean {
  return all !== undefined || ownerOf(subscription) === person
}

/** The owner sees all of it. Another sees its question only if everybody in the channel does, and with the rights of its runs. */
function seesContent(subscription: Subscription, { person, all }: SubscriptionViewer): boolean {
  const { openTo } = subscription
  return ownerOf(subscription) === person || (openTo !== null && openTo.rights === all?.rights)
}

function ownerOf({ place, owner }: Subscription): string {
  return askerName(place, owner)
}

function shownTo(viewer: SubscriptionViewer, subscription: Subscription): ShownSubscription {
  const { id, recurrence, condition, next, plan, ...own } = subscription
  const isSeen = seesContent(subscription, viewer)
  return {
    ...{ id, kind: own.kind, status: own.status, owner: ownerOf(subscription), schedule: recurrenceInWords(recurrence, 'en') },
    question: isSeen ? plan.question : null,
    condition: condition !== null && isSeen ? conditionInWords(condition, 'en') : null,
    next: own.status === 'active' ? new Date(next).toISOString() : null,
    alert: own.kind === 'alert' ? own.alert.state : null,
    last: own.history.at(-1)?.outcome ?? null,
  }
}

function shownRun(run: SubscriptionRun, hasGate: boolean): SubscriptionWithRuns['runs'][number] {
  const { due, isLate, missed, firing, rows, tokens, cost } = run
  const isRead = run.outcome === 'told' || run.outcome === 'quiet'
  return {
    ...{ due: new Date(due).toISOString(), outcome: run.outcome, is_late: isLate, missed, firing, rows, tokens, cost },
    gate: !hasGate ? null : run.outcome === 'no_new_data' ? 'closed' : isRead ? 'open' : null,
    run_id: run.isReport ? run.runId : null,
  }
}
