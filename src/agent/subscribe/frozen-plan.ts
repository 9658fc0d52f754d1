import { z } from 'zod'
import type { Language } from '../../words/language.ts'
import { queryReportSchema } from '../run/result.ts'
import { conditionSchema, type Watched } from './condition.ts'
import type { Snapshot } from './difference.ts'
import { recurrenceSchema } from './schedule.ts'

export const frozenQuerySchema = queryReportSchema
  .pick({ id: true, question: true, explanation: true, assumptions: true, deciding_assumptions: true, chart: true })
  .extend({
    sql: z.string(),
    /** The columns that tell what a row is about, by their places. Absent if only the result tells. */
    key: z.array(z.number().int()).readonly().optional(),
  })
export type FrozenQuery = z.infer<typeof frozenQuerySchema>

/** What a subscription asks each time: confirmed SQL, in which the clocks stand for the due time. */
export const frozenPlanSchema = z.object({
  /** The question, without its schedule and its condition. */
  question: z.string(),
  queries: z.array(frozenQuerySchema).min(1),
  /** SQL whose one row tells whether there is new data. Null if every due run reads. */
  gate: z.string().nullable(),
  /** The data source, if there are several. */
  source: z.string().nullable(),
})
export type FrozenPlan = z.infer<typeof frozenPlanSchema>

/** A subscription as its maker has confirmed it. */
export const subscriptionDraftSchema = z.object({
  id: z.string(),
  kind: z.enum(['report', 'alert']),
  recurrence: recurrenceSchema,
  condition: conditionSchema.nullable(),
  /** Whether it ends when it was told once. */
  once: z.boolean().default(false),
  plan: frozenPlanSchema,
})
export type SubscriptionDraft = z.infer<typeof subscriptionDraftSchema>

/** What somebody asks to recur, in words, and the subscription that the words change. */
export interface AskedSubscription {
  readonly words: string
  readonly draft?: SubscriptionDraft
}

/** Keeps the subscriptions of the author of a message. */
export interface Subscribe {
  /**
   * Keeps a subscription, in place of the one with its id. A second call with the same one changes nothing.
   * @returns when it is next due; undefined if its owner has too many
   */
  keep(draft: SubscriptionDraft, language: Language, signal: AbortSignal): Promise<number | undefined>
  /** Returns the subscription that a message revises, and the words for it. Undefined for any other message. */
  revised(message: string, signal: AbortSignal): Promise<Required<AskedSubscription> | undefined>
}

/** One due run of a subscription, and what is remembered of the run before. */
export interface StandingRun extends SubscriptionDraft {
  /** Unix time in milliseconds. It stands in the place of every clock. */
  readonly due: number
  readonly language: Language
  readonly watched: Watched | null
  /** The due time of the last run that could be checked. */
  readonly lookedAt?: number | undefined
  readonly last: readonly Snapshot[]
  readonly gateRow: string | null
}
