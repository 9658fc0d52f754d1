/** The steps that ask a model: each has a prompt file, a schema of the same name and a CLEW_MODEL_<STEP> variable. */
export const MODEL_STEPS = [
  'classify',
  'decompose',
  'generate',
  'review_empty',
  'synthesize',
  'rewrite',
  'respond',
  'summarize',
  'lineage',
] as const
export type ModelStep = (typeof MODEL_STEPS)[number]
