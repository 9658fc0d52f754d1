import { isAlreadySaid } from './already-said.ts'
import type { QueryReport } from './run-result.ts'
import { shortRemark } from './short-remark.ts'

/** Of one query, and below one answer. */
const MOST_ASSUMPTIONS = 5

/** The assumptions that decide the figures: another sensible reading of the question gives others. Each stands once, however it is said. */
export function decidingAssumptions(queries: readonly QueryReport[]): readonly string[] {
  const told: string[] = []
  for (const assumption of inTurn(queries.map(query => query.deciding_assumptions))) {
    const line = shortRemark(assumption)
    if (line !== '' && !isAlreadySaid(line, told.join('\n'))) told.push(line)
  }
  return told.slice(0, MOST_ASSUMPTIONS)
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
