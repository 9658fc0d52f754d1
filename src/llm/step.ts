/** The steps that ask a model. Each step has a prompt file and a schema with its name, and a variable CLEW_MODEL_<STEP>. */
export const MODEL_STEPS = [
  'classify',
  'decompose',
  'plan_sources',
  'generate',
  'review_empty',
  'synthesize',
  'rewrite',
  'proofread',
  'respond',
  'summarize',
  'lineage',
  'draft_pipeline',
  'subscribe',
] as const
export type ModelStep = (typeof MODEL_STEPS)[number]

/**
 * The token limit of each step. The answer's text needs about a tenth of it. The rest is for hidden reasoning, because the limit
 * includes those tokens. Many models give at most 8,192 or 16,384 tokens, and some endpoints refuse a request for more.
 */
export const STEP_TOKENS: Readonly<Record<ModelStep, number>> = {
  classify: 8_192,
  decompose: 16_384,
  plan_sources: 16_384,
  generate: 16_384,
  review_empty: 8_192,
  synthesize: 16_384,
  rewrite: 8_192,
  proofread: 8_192,
  respond: 8_192,
  summarize: 8_192,
  lineage: 16_384,
  draft_pipeline: 16_384,
  subscribe: 8_192,
}
