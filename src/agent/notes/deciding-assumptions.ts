import { AGENT_LIMITS } from '../limits.ts'
import type { QueryReport } from '../run/result.ts'
import { isAlreadySaid } from './already-said.ts'
import { shortRemark } from './short-remark.ts'

/**
 * Returns the assumptions that change the figures: with another assumption, the figures would differ. If two say the same in
 * other words, keeps one.
 */
export function decidingAssumptions(queries: readonly QueryReport[]): readonly string[] {
  const told: string[] = []
  for (const assumption of inTurn(queries.map(query => query.deciding_assumptions))) {
    const line = shortRemark(assumption)
    if (line !== '' && !isAlreadySaid(line, told.join('\n'))) told.push(line)
  }
  return told.slice(0, AGENT_LIMITS.notes.assumptions)
}

/** Limits the length and number of a model's assumptions, because they are shown unchanged. */
export function boundedAssumptions(assumptions: readonly string[]): string[] {
  const lines = assumptions.map(shortRemark).filter(line => line !== '')
  return [...new Set(lines)].slice(0, AGENT_LIMITS.notes.assumptions)
}

/**
 * Takes the first element of each list, then the second of each, and so on. If the result is cut, each query still has its share.
 */
function inTurn(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(0, ...lists.map(list => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap(list => list.slice(index, index + 1))).flat()
}
