import { codeSpan, missingValues } from './missing-values.ts'
import type { QueryReport } from './run-result.ts'

/**
 * What is added below an answer where a value of a query does not occur and others are near to it; empty where there are none, or where the answer names
 * one of them.
 */
export function didYouMeanNote(answer: string, queries: readonly QueryReport[]): string {
  const lines = queries
    .flatMap(missingValues)
    .filter(({ near }) => near.length > 0 && !near.some(value => names(answer, value)))
    .map(
      ({ value, near, column }) =>
        `${codeSpan(value)} does not occur in ${codeSpan(column)}. Did you mean ${near.map(codeSpan).join(' or ')}?`,
    )
  return [...new Set(lines)].join('\n')
}

/** Whether a text has the value as whole words: DZ100 does not name DZ10, nor does fra-dz01 name dz01. */
function names(text: string, value: string): boolean {
  const literal = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}_][-.:/])${literal}(?![\\p{L}\\p{N}_]|[-.:/][\\p{L}\\p{N}_])`, 'u').test(
    text,
  )
}
