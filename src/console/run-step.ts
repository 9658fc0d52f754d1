import type { RunLogEntry } from '../history/run-log-entry.ts'

/**
 * Describes a step of a run. Times are ISO 8601 and milliseconds.
 * @param content the prompt and the reply of a model call; null if they are not kept, or hidden
 */
export function stepOf(entry: RunLogEntry, maySee: boolean, content: { readonly input: string; readonly output: string } | null) {
  const { step, query = null, attempt, started_at, duration_ms: ms, error, cancelled = null, usage } = entry
  return {
    ...{ step, query, attempt, started_at, ms },
    error: error === null || maySee ? error : (/^[a-z_]+(?=: )/.exec(error)?.[0] ?? 'failed'),
    /** Why a step that had started ahead of time was not needed. */
    cancelled,
    ...{ model: usage?.model ?? null, tokens_in: usage?.tokens_in ?? null, tokens_out: usage?.tokens_out ?? null },
    ...{ tokens_cached: usage?.tokens_cached ?? null, cost: usage?.cost ?? null, requests: usage?.requests ?? [] },
    content,
  }
}
