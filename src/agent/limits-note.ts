import { describeBytes } from '../clickhouse/cost/describe-cost.ts'
import type { QueryReport } from './run-result.ts'

/**
 * What is added below an answer whose queries reached a limit; empty when none did. Added by program, because a model may leave it out.
 * @param limits rows and bytes of one result
 */
export function limitsNote(
  queries: readonly QueryReport[],
  limits: { readonly maxRows: number; readonly maxBytes: number },
): string {
  const reached = queries
    .filter(query => query.error === null)
    .flatMap(query => [
      ...(query.narrowed === null ? [] : [`${query.id} was narrowed: ${oneLine(query.narrowed)}`]),
      ...(query.truncated ? [cutNote(query, limits)] : []),
    ])
  const [only, ...others] = reached
  if (only === undefined) return ''
  if (others.length === 0) return `**Limit reached:** ${only}`
  return `**Limits reached**\n${reached.map(line => `- ${line}`).join('\n')}`
}

function cutNote(
  { id, row_count: rows }: QueryReport,
  { maxRows, maxBytes }: { readonly maxRows: number; readonly maxBytes: number },
): string {
  const atBytes = rows < maxRows ? `, at ${describeBytes(maxBytes)}` : ''
  return `The result of ${id} was cut after ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}${atBytes}; there are more.`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
