import type { SqlToken } from '../../warehouse/sql/sql-tokens.ts'

/** After WITH, these words do not begin a list of CTEs. Example: `GROUP BY … WITH TOTALS`. */
const NO_CTE_LIST = new Set(['TOTALS', 'ROLLUP', 'CUBE', 'FILL', 'TIES'])
const SET_OPERATORS = new Set(['UNION', 'EXCEPT', 'INTERSECT'])

/** The tokens inside one pair of parentheses: those in WITH lists, and the others. */
interface Level {
  withTokens: number
  otherTokens: number
  branches: number
  inWith: boolean
}

/**
 * Returns an upper bound of the number of tokens after the engine has copied WITH lists. It copies each list into every branch of
 * a UNION, while it builds the query tree and before its own limits apply. With nested lists, 14 KB of SQL became 3.4 million
 * SELECTs.
 */
export function expandedSize(tokens: readonly SqlToken[]): number {
  const levels: Level[] = [newLevel()]
  for (const [index, token] of tokens.entries()) {
    const level = levels.at(-1)
    if (level === undefined) break
    if (token.text === '(') levels.push(newLevel())
    else if (token.text === ')') {
      levels.pop()
      add(levels.at(-1), sizeOf(level))
    } else {
      if (token.kind === 'word' && token.text === 'SELECT') level.inWith = false
      if (token.kind === 'word' && token.text === 'WITH') level.inWith = !NO_CTE_LIST.has(tokens[index + 1]?.text ?? '')
      if (token.kind === 'word' && SET_OPERATORS.has(token.text)) level.branches += 1
      add(level, 1)
    }
  }
  return levels.reduce((sum, level) => sum + sizeOf(level), 0)
}

function newLevel(): Level {
  return { withTokens: 0, otherTokens: 0, branches: 1, inWith: false }
}

function add(level: Level | undefined, size: number): void {
  if (level === undefined) return
  if (level.inWith) level.withTokens += size
  else level.otherTokens += size
}

function sizeOf(level: Level): number {
  return level.withTokens * level.branches + level.otherTokens
}
