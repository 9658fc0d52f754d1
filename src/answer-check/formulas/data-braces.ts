import { Budget } from '../budget.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'

/**
 * Returns a function that tells whether a text with braces was copied: from a cell, or from what the author of the answer knows.
 * It searches a bounded number of characters in all.
 * @param known the question, the SQL and the columns, in lower case
 */
export function findsInRows(queries: readonly CheckedQuery[], known: string): (text: string) => boolean {
  const characters = new Budget(CHECK_LIMITS.formulas.searchedCharacters)
  return text => {
    characters.take(known.length)
    if (holds(known, text.toLowerCase())) return true
    for (const { rows } of queries)
      for (const row of rows)
        for (const cell of row) {
          if (characters.isSpent) return false
          if (cell === null || typeof cell === 'number' || typeof cell === 'boolean') continue
          const written = typeof cell === 'string' ? cell : JSON.stringify(cell)
          characters.take(written.length + 1)
          if (holds(written, text)) return true
        }
    return false
  }
}

/** Whether the second text contains the first one as whole words: `{{a}}` does not contain `{a}`. */
function holds(written: string, text: string): boolean {
  for (let at = written.indexOf(text); at >= 0; at = written.indexOf(text, at + text.length))
    if (!JOINS.test(written[at - 1] ?? '') && !JOINS.test(written[at + text.length] ?? '')) return true
  return false
}

const JOINS = /[\p{L}\p{N}_{}()]/u
