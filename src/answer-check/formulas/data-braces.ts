import type { Cell } from '../../warehouse/warehouse.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'

/**
 * Returns a function that tells whether a text with braces was copied: from a cell, or from what the author of the answer knows.
 * It searches a bounded number of characters in all.
 * @param known the question, the SQL and the columns, in lower case
 */
export function findsInRows(queries: readonly CheckedQuery[], known: string): (text: string) => boolean {
  let left: number = CHECK_LIMITS.formulas.searchedCharacters
  const holds = (written: string, text: string) => {
    left -= written.length + 1
    // `{{a}}` does not contain `{a}`.
    const around = written.split(text)
    return around.slice(1).some((behind, at) => !JOINS.test(around[at]?.at(-1) ?? '') && !JOINS.test(behind.charAt(0)))
  }
  const shows = (cell: Cell, text: string) =>
    left > 0 && (typeof cell === 'string' ? holds(cell, text) : typeof cell === 'object' && holds(JSON.stringify(cell), text))
  return text =>
    holds(known, text.toLowerCase()) || queries.some(({ rows }) => rows.some(row => row.some(cell => shows(cell, text))))
}

const JOINS = /[\p{L}\p{N}_{}()]/u
