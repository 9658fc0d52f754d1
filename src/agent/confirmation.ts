import { z } from 'zod'
import { costEstimateSchema } from '../clickhouse/cost/cost-estimator.ts'

/** What may be done with a query over the budget: run it all the same, ask for less, or leave it. */
export const costChoiceSchema = z.enum(['run', 'narrow', 'stop'])
export type CostChoice = z.infer<typeof costChoiceSchema>

/** What a run stops to ask. JSON, so that a surface may show it as buttons and answer later. */
export const confirmationRequestSchema = z.object({
  kind: z.literal('need_confirm'),
  /** The data question it is about, `Q1`. */
  query: z.string(),
  /** One sentence for the person. */
  question: z.string(),
  choices: z.array(z.object({ value: costChoiceSchema, label: z.string() })).readonly(),
  estimate: costEstimateSchema,
})
export type ConfirmationRequest = z.infer<typeof confirmationRequestSchema>

/**
 * Asks the person. May be called for several data questions at a time.
 * @param signal aborted when the run ends, by its time limit too: nobody is waited for longer
 */
export type Confirm = (request: ConfirmationRequest, signal: AbortSignal) => Promise<CostChoice>
