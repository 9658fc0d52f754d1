import { z } from 'zod'
import { watchedSchema } from '../agent/subscribe/condition.ts'
import { snapshotSchema } from '../agent/subscribe/difference.ts'
import { subscriptionDraftSchema } from '../agent/subscribe/frozen-plan.ts'
import { chatPlaceSchema } from '../chat/event.ts'
import { askerName } from '../queue/asker.ts'
import { languageSchema } from '../words/language.ts'
import { SUBSCRIPTION_LIMITS } from './limits.ts'

/** How an alert stands. `keys` are the rows that it has told of. Times are Unix times in milliseconds. */
export const alertSchema = z.object({
  state: z.enum(['quiet', 'open', 'acknowledged', 'snoozed']),
  since: z.number(),
  toldAt: z.number(),
  keys: z.array(z.string()),
})
export type Alert = z.infer<typeof alertSchema>

const runningSchema = z.object({
  due: z.number(),
  startedAt: z.number(),
  isLate: z.boolean(),
  /** How many due times before it had no run. */
  missed: z.number(),
})
export type Running = z.infer<typeof runningSchema>

/** One run of the history. */
const runSchema = runningSchema.extend({
  runId: z.string(),
  /**
   * `told`: a report or a message of an alert was shown. `quiet`: the condition did not ask for words. `no_new_data`: the work gate
   * was closed. `failed`: it could not be checked. `stopped`: its SQL is no longer valid. `paused`: its owner may not ask here any
   * more. `lost`: it did not end.
   */
  outcome: z.enum(['told', 'quiet', 'no_new_data', 'failed', 'stopped', 'paused', 'lost']),
  rows: z.number(),
  /** The rows for which the condition held for long enough. Null if there is no condition. */
  firing: z.number().nullable(),
  tokens: z.number(),
  /** In US dollars. Null if the prices are unknown. */
  cost: z.number().nullable(),
  /** The words of a failure. Kept for the last run only, so that a resumed run shows the same. */
  said: z.string(),
  /** Whether a report or an alert was shown, which has a record of its own. */
  isReport: z.boolean(),
  /** The rights with which it was made. Null if there are no rules. */
  rights: z.string().nullable(),
})
export type SubscriptionRun = z.infer<typeof runSchema>

export const subscriptionSchema = subscriptionDraftSchema.extend({
  version: z.literal(1),
  owner: z.string().min(1),
  place: chatPlaceSchema,
  language: languageSchema,
  createdAt: z.number(),
  /** `ended`: its last day is over, or it was to be told once and was. */
  status: z.enum(['active', 'paused', 'stopped', 'ended']),
  /** The next due time. */
  next: z.number(),
  /** The run under way. Null between runs. */
  running: runningSchema.nullable(),
  alert: alertSchema,
  watched: watchedSchema.nullable(),
  /** The results of the last run that read. */
  last: z.array(snapshotSchema).readonly(),
  /** The row of the work gate in the last run that read. */
  gateRow: z.string().nullable(),
  /**
   * Who else may see its question and SQL: people with these rights, since everybody in the channel sees what the last run shows.
   * Null: nobody else.
   */
  openTo: z.object({ rights: z.string().nullable() }).nullable().default(null),
  /** Whether the last run failed, and this was told. */
  isFailing: z.boolean(),
  history: z.array(runSchema),
})
export type Subscription = z.infer<typeof subscriptionSchema>

export const QUIET: Alert = { state: 'quiet', since: 0, toldAt: 0, keys: [] }

/** Returns the person who owns a subscription, as `slack/U1`. */
export function ownerOf({ place, owner }: Subscription): string {
  return askerName(place, owner)
}

/** Returns the due time of the last run that could be checked. */
export function lookedAt({ history }: Pick<Subscription, 'history'>): number | undefined {
  return history.findLast(({ outcome }) => outcome === 'told' || outcome === 'quiet' || outcome === 'no_new_data')?.due
}

/** Forgets the rows of earlier runs if they were read with other rights. They may be more than may be seen now. */
export function forRights(subscription: Subscription, rights: string | null): Subscription {
  const before = subscription.history.at(-1)
  return before === undefined || before.rights === rights ? subscription : { ...subscription, last: [], watched: null }
}

const NOTHING = { runId: '', rows: 0, firing: null, tokens: 0, cost: null, said: '', isReport: false, rights: null }
type EndedRun = Omit<SubscriptionRun, keyof typeof NOTHING> & Partial<SubscriptionRun>

/** Ends the run under way, and adds it to the history. A run that tells nothing else found and said nothing. */
export function withRun(subscription: Subscription, run: EndedRun): Subscription {
  const before = subscription.history.map(each => (each.said === '' ? each : { ...each, said: '' }))
  return { ...subscription, running: null, history: [...before, { ...NOTHING, ...run }].slice(-SUBSCRIPTION_LIMITS.historyRuns) }
}
