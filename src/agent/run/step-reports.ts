import type { RunLogEntry } from '../../history/run-log-entry.ts'
import type { StepReport } from './result.ts'

/** Returns the entries of a run's log without the values of the steps. Results and `clew trace` contain these reports. */
export function stepReports(entries: readonly RunLogEntry[]): StepReport[] {
  return entries.map(entry => ({
    step: entry.step,
    ...(entry.query === undefined ? {} : { query: entry.query }),
    started_at: entry.started_at,
    duration_ms: entry.duration_ms,
    attempt: entry.attempt,
    error: entry.error,
    ...(entry.cancelled === undefined ? {} : { cancelled: entry.cancelled }),
    model: entry.usage?.model ?? null,
    tokens_in: entry.usage?.tokens_in ?? null,
    tokens_out: entry.usage?.tokens_out ?? null,
    ...(entry.usage?.tokens_cached !== undefined && { tokens_cached: entry.usage.tokens_cached }),
    ...(entry.usage?.cost !== undefined && { cost: entry.usage.cost }),
    ...(entry.usage?.estimated && { tokens_estimated: true as const }),
  }))
}

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
