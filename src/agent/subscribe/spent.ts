import type { StepReport } from '../run/result.ts'

/**
 * Sums what calls of the model have used.
 * @returns `cost` in US dollars; null if the price of a call is unknown, or if there were none
 */
export function spentOn(steps: readonly StepReport[]): { readonly tokens: number; readonly cost: number | null } {
  const asked = steps.filter(({ model }) => model !== null)
  const tokens = asked.reduce((sum, step) => sum + (step.tokens_in ?? 0) + (step.tokens_out ?? 0), 0)
  const isPriced = asked.length > 0 && asked.every(({ cost }) => cost !== undefined)
  return { tokens, cost: isPriced ? asked.reduce((sum, { cost = 0 }) => sum + cost, 0) : null }
}
