import type { QueryReport } from './run-result.ts'
import { shortRemark } from './short-remark.ts'

/** Of one query, and below one answer. */
const MOST_ASSUMPTIONS = 5

/**
 * What is added below an answer whose figures would be others under another sensible reading of the question; empty when there is nothing of the
 * kind. Added by program, because a model may leave it out.
 */
export function decidingAssumptionsNote(queries: readonly QueryReport[]): string {
  const assumptions = boundedAssumptions(
    inTurn(queries.filter(query => query.error === null).map(query => query.deciding_assumptions)),
  )
  const [only, ...others] = assumptions
  if (only === undefined) return ''
  if (others.length === 0) return `**Assumed:** ${only}`
  return `**Assumed**\n${assumptions.map(assumption => `- ${assumption}`).join('\n')}`
}

/** Puts an assumption first, as the one that decides most. */
export function withDecidingAssumption<T extends Pick<QueryReport, 'assumptions' | 'deciding_assumptions'>>(
  query: T,
  assumption: string,
): T {
  const deciding = boundedAssumptions([assumption, ...query.deciding_assumptions])
  return { ...query, assumptions: [...new Set([...deciding, ...query.assumptions])], deciding_assumptions: deciding }
}

/** What a model wrote is shown as it is, so it is bounded: five of them, each on one line. */
export function boundedAssumptions(assumptions: readonly string[]): string[] {
  const lines = assumptions.map(shortRemark).filter(line => line !== '')
  return [...new Set(lines)].slice(0, MOST_ASSUMPTIONS)
}

/** The first of each query before the second of any: none is left out because another query has many. */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(list => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap(list => list.slice(index, index + 1))).flat()
}
