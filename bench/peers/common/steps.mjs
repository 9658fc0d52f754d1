import { z } from 'zod'

/** @typedef {'classify' | 'decompose' | 'generate' | 'synthesize'} Step */

/** The JSON that each step of the pipelines returns. It is like the JSON of Clew's steps, without the parts that only Clew uses. */

export const Classification = z.object({
  intent: z.enum(['data_analysis', 'conversational', 'out_of_scope']),
  standalone_question: z.string(),
  reply: z.string().nullable(),
})

export const Plan = z.object({
  data_questions: z.array(z.object({ question: z.string(), rationale: z.string() })),
})

export const Draft = z.object({
  sql: z.string(),
  explanation: z.string(),
  assumptions: z.array(z.string()),
})

/** @typedef {{ id: string, question: string }} DataQuestion */
/** @typedef {DataQuestion & { sql: string, result: string }} Result what a query returned as text, or its error */

/**
 * The data questions with the ids that the answer cites.
 * @param {z.infer<typeof Plan>} plan
 * @returns {DataQuestion[]}
 */
export function numbered(plan) {
  return plan.data_questions.map(({ question }, index) => ({ id: `Q${index + 1}`, question }))
}
