import type { QueryReport } from './run-result.ts'

/**
 * What is added below an answer whose figures would be others under another sensible reading of the question; empty when there is nothing of the
 * kind. Added by program, because a model may leave it out.
 */
export function decidingAssumptionsNote(queries: readonly QueryReport[]): string {
  const assumptions = new Set(
    queries.filter(query => query.error === null).flatMap(query => query.deciding_assumptions.map(oneLine)),
  )
  const [only, ...others] = assumptions
  if (only === undefined) return ''
  if (others.length === 0) return `**Assumed:** ${only}`
  return `**Assumed**\n${[...assumptions].map(assumption => `- ${assumption}`).join('\n')}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
