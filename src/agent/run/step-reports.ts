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
