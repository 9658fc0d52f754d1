import { SIZES } from '../../base/sizes.ts'
import { type Rejection, rejection, shown } from '../../warehouse/guard/rejection.ts'
import type { SqlToken } from '../../warehouse/sql/sql-tokens.ts'
import { GUARD_LIMITS } from '../limits.ts'
import { expandedSize } from './expanded-size.ts'
import { findNameFault } from './unusual-names.ts'

/** EXPLAIN prints the patterns of COLUMNS and EXCEPT unescaped. A line break in a pattern could forge a line of the tree. */
const ONE_LINE = /^[^\p{Cc}\u2028\u2029]*$/u
const COLLATION = /^[A-Za-z0-9_@=;-]+$/
const SYMBOLS = new Set('()[],.+-*/%=<>!:?|&^~'.split(''))

/**
 * Layer 3 of the guard: checks the tokens of the canonical text. Refuses every statement except SELECT, and tokens that make
 * EXPLAIN's output ambiguous.
 */
export function findTokenFault(tokens: readonly SqlToken[]): Rejection | undefined {
  const first = tokens.find(token => token.text !== '(')
  if (first === undefined) return rejection('syntax', 'There is no query.')
  if (!isWord(first, 'SELECT') && !isWord(first, 'WITH')) {
    return rejection('not_select', `Only SELECT may be run, not ${shown(first.text)}.`)
  }
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    if (token.text === '(' || token.text === '[') depth += 1
    if (token.text === ')' || token.text === ']') depth -= 1
    if (depth < 0) return rejection('not_understood', 'The parentheses of the query do not match.')
    if (depth > GUARD_LIMITS.maxDepth) return rejection('too_long', 'The query is too deeply nested; make it simpler.')
    const fault = findFaultAt(tokens, index, token)
    if (fault !== undefined) return fault
  }
  if (depth !== 0) return rejection('not_understood', 'The parentheses of the query do not match.')
  if (expandedSize(tokens) <= GUARD_LIMITS.maxExpandedTokens) return undefined
  return rejection('too_long', 'The query repeats its WITH list in too many branches of UNION; make it simpler.')
}

/**
 * Whether the query contains INTO OUTFILE, or ends in FORMAT. Without this check, the guard's EXPLAIN would fail with a useless
 * message.
 */
export function asksForOutput(tokens: readonly SqlToken[]): boolean {
  return tokens.some(
    (token, index) =>
      (isWord(token, 'INTO') && isWord(tokens[index + 1], 'OUTFILE')) ||
      (isWord(token, 'FORMAT') &&
        index === tokens.length - 2 &&
        tokens[index + 1]?.kind === 'word' &&
        !isWord(tokens[index - 1], 'AS')),
  )
}

/**
 * Whether the query may rename columns, as in `FROM (…) AS t(a, b)` or `WITH t(a, b) AS (…)`. The tree does not show the new
 * names.
 */
export function renamesColumns(tokens: readonly SqlToken[]): boolean {
  return tokens.some((token, index) => {
    if (!isWord(token, 'AS')) return false
    const next = tokens[index + 1]
    const isOfAlias = (next?.kind === 'word' || next?.kind === 'name') && tokens[index + 2]?.text === '('
    return isOfAlias || (tokens[index - 1]?.text === ')' && next?.text === '(')
  })
}

function findFaultAt(tokens: readonly SqlToken[], index: number, token: SqlToken): Rejection | undefined {
  const next = tokens[index + 1]
  if (token.kind === 'symbol') return findSymbolFault(token.text)
  // The guard, the validator and their messages look names up in several ways, some of which take more than linear time.
  if (token.kind !== 'string' && token.value.length > SIZES.sqlName) {
    const { length } = token.value
    return rejection(
      'too_long',
      `A name or number of the query has ${length} characters, and at most ${SIZES.sqlName} are allowed.`,
    )
  }
  if (token.kind === 'name') return findNameFault(token, tokens[index - 1], next)
  if (token.kind === 'string') return findRawStringFault(tokens, index, token)
  if (isWord(token, 'SETTINGS') && next?.kind === 'word' && tokens[index + 2]?.text === '=') {
    return rejection('settings', 'SETTINGS are not allowed; leave the clause out.')
  }
  if (isWord(token, 'MATERIALIZED') && isWord(next, 'ENGINE')) {
    return rejection('not_understood', 'A CTE may not name a table engine; write it as name AS (SELECT …).')
  }
  if (token.value === 'system' && next?.text === '.' && tokens[index + 2]?.value === 'one') {
    return rejection('out_of_scope', 'Table system.one is not available; leave out FROM to compute a value.')
  }
  return undefined
}

function findSymbolFault(symbol: string): Rejection | undefined {
  if (SYMBOLS.has(symbol)) return undefined
  if (symbol === '{' || symbol === '}') {
    return rejection('parameter', 'Query parameters {name:Type} are not allowed; write the values into the query.')
  }
  if (symbol === ';') return rejection('several_statements', 'Only one statement may be run.')
  return rejection('not_understood', `The query contains ${shown(symbol)}, which is not understood.`)
}

/** Checks the only strings that EXPLAIN prints unescaped: patterns of `COLUMNS('…')` and EXCEPT, and collations. */
function findRawStringFault(tokens: readonly SqlToken[], index: number, token: SqlToken): Rejection | undefined {
  const before = tokens.slice(Math.max(0, index - 3), index).filter(({ text }) => text !== '(')
  const word = before.at(-1)?.text.toUpperCase() ?? ''
  if (word === 'COLLATE' && !COLLATION.test(token.value)) {
    return rejection('not_understood', `The collation ${shown(token.text)} is not understood.`)
  }
  if (['COLUMNS', 'EXCEPT', 'STRICT'].includes(word) && !ONE_LINE.test(token.value)) {
    return rejection('not_understood', 'A pattern of COLUMNS or EXCEPT may not contain a line break.')
  }
  return undefined
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word
}
