import { atOnce } from '../../base/at-once.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { WorkingFault } from './fault.ts'
import { type Given, WorkingReader } from './reader.ts'
import type { Worked } from './worked-part.ts'

export type WorkedOut = Worked | { readonly fault: string }

/** Evaluates the workings of one sentence. The bench caches the values, and limits how many cells all workings read together. */
export class WorkBench {
  /** The queries that a working may read, the likeliest first. A working such as `Q2.sum(x)` names its query itself. */
  readonly queries: readonly CheckedQuery[]
  /** The number of cells that may still be read. */
  readonly #cells: Given['cells'] = { left: CHECK_LIMITS.working.cells }
  readonly #known = new Map<string, WorkedOut>()

  constructor(queries: readonly CheckedQuery[]) {
    this.queries = queries
  }

  /**
   * Evaluates a working over whole results. A working is arithmetic (`+ - * /` and parentheses) over cells and aggregates. A cell is `rtt_ms[3]` by
   * row number, or `rtt_ms['fra-dz01']` by a value of the row. The aggregates are `count`, `distinct`, `sum`, `avg`, `median`, `min`, `max` and
   * `value` (of exactly one row). An aggregate covers the rows of one query that meet its conditions.
   * @param first the query to try first
   * @param instead maps row numbers (from 0) and values of conditions to their replacements, to evaluate the working for other rows
   * @param row the row of a column that names none, as in a table
   */
  *workOut(
    expression: string,
    first?: CheckedQuery,
    instead?: ReadonlyMap<number | string, number | string>,
    row?: number,
  ): Generator<void, WorkedOut> {
    const key = instead === undefined && row === undefined ? `${first?.id ?? ''}:${expression}` : ''
    const queries = first === undefined ? this.queries : [first, ...this.queries.filter(query => query !== first)]
    const given = { queries, instead: instead ?? new Map(), cells: this.#cells, row }
    const worked = this.#known.get(key) ?? (yield* workedBy(expression, given))
    if (key !== '') this.#known.set(key, worked)
    return worked
  }
}

function* workedBy(expression: string, given: Given): Generator<void, WorkedOut> {
  if (expression.length > CHECK_LIMITS.working.characters) return { fault: 'the working is too long' }
  try {
    return yield* new WorkingReader(expression, given).read()
  } catch (error) {
    if (error instanceof WorkingFault) return { fault: error.reason }
    throw error
  }
}

export function workOut(expression: string, queries: readonly CheckedQuery[]): WorkedOut {
  return atOnce(new WorkBench(queries).workOut(expression))
}
