import { onOneLine } from '../clickhouse/catalog/plain-text.ts'
import { isEmptyResult } from './empty-result.ts'
import type { QueryReport } from './run-result.ts'

const VALUE_CHARACTERS = 100

/**
 * What is added below an answer about nothing where a value of the query does not occur and others are near to it; empty where there are none, or where the
 * answer names one of them.
 */
export function didYouMeanNote(answer: string, queries: readonly QueryReport[]): string {
  const lines = queries
    .filter(isEmptyResult)
    .flatMap(({ look_up: findings }) =>
      findings.flatMap(({ column, missing }) =>
        missing
          .filter(({ near }) => near.length > 0 && !near.some(value => answer.includes(value)))
          .map(
            ({ value, near }) => `${code(value)} does not occur in ${code(column)}. Did you mean ${near.map(code).join(' or ')}?`,
          ),
      ),
    )
  return [...new Set(lines)].join('\n')
}

/** A value or a name in back-ticks that it cannot close. */
function code(text: string): string {
  return `\`${onOneLine(text, VALUE_CHARACTERS) || '?'}\``
}
