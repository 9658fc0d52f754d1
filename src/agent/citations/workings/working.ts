import type { UnexplainedQuery } from '../../run-result.ts'
import type { WorkedPart } from './worked-part.ts'
import { WorkingFault } from './working-fault.ts'
import { WorkingReader } from './working-reader.ts'

const MOST_CHARACTERS = 600

/** What a working comes to, and the rows that it is made of; or why it cannot be worked out. */
export type WorkedOut =
  | {
      /** NaN where it is one cell that holds no number: a day, a name. */
      readonly value: number
      readonly parts: readonly WorkedPart[]
    }
  | { readonly fault: string }

/**
 * Works a working out over whole results. It is arithmetic (`+ - * /` and parentheses) over cells, `rtt_ms[3]` by the number of a row or
 * `rtt_ms['fra-dz01']` by what stands in it, and over `count`, `distinct`, `sum`, `avg`, `min`, `max` and `value` (of exactly one row), each over the rows of one query
 * that meet its conditions.
 * @param queries those it may be about, the likeliest first; `Q2.sum(x)` names one
 * @param instead rows of cells, from 0, and values of conditions that are to be read in the place of others: what the same working comes to elsewhere
 */
export function workOut(
  expression: string,
  queries: readonly UnexplainedQuery[],
  instead: ReadonlyMap<number | string, number | string> = new Map(),
): WorkedOut {
  if (expression.length > MOST_CHARACTERS) return { fault: 'the working is too long' }
  try {
    const reader = new WorkingReader(expression, queries, instead)
    const value = reader.read()
    const { parts } = reader
    const isCell = reader.isLone && parts[0]?.isCell === true && Number.isNaN(value)
    return Number.isFinite(value) || isCell ? { value, parts } : { fault: 'the working comes to no number' }
  } catch (error) {
    if (error instanceof WorkingFault) return { fault: error.reason }
    throw error
  }
}
