import { atOnce } from '../../base/at-once.ts'
import { Budget } from '../budget.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { WorkingFault } from './fault.ts'
import { WorkingReader } from './reader.ts'
import type { Operand, WorkedPart, WorkingShape } from './worked-part.ts'

/** A working's value, and how it is made of parts. */
export interface Worked {
  /** NaN if the working is a cell with a day or a name. */
  readonly value: number
  readonly parts: readonly WorkedPart[]
  readonly shape: WorkingShape
  /** The parts, with the signs and numbers between them. */
  readonly terms: readonly (string | WorkedPart)[]
  readonly whole: Operand
}

export type WorkedOut = Worked | { readonly fault: string }

/** Evaluates the workings of one sentence. The bench caches the values, and limits how many cells all workings read together. */
export class WorkBench {
  /** The queries that a working may read, the likeliest first. A working such as `Q2.sum(x)` names its query itself. */
  readonly queries: readonly CheckedQuery[]
  readonly #cells = new Budget(CHECK_LIMITS.working.cells)
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
   */
  *workOut(
    expression: string,
    first?: CheckedQuery,
    instead?: ReadonlyMap<number | string, number | string>,
  ): Generator<void, WorkedOut> {
    if (instead !== undefined) return yield* this.#work(expression, first, instead)
    const key = `${first?.id ?? ''}:${expression}`
    const worked = this.#known.get(key) ?? (yield* this.#work(expression, first))
    this.#known.set(key, worked)
    return worked
  }

  /** Evaluates a formula of a table for one row of a query. A column that names no row is the cell of this row. */
  *workOutRow(expression: string, query: CheckedQuery, row: number): Generator<void, WorkedOut> {
    return yield* this.#work(expression, query, new Map(), row)
  }

  *#work(
    expression: string,
    first: CheckedQuery | undefined,
    instead: ReadonlyMap<number | string, number | string> = new Map(),
    row?: number,
  ): Generator<void, WorkedOut> {
    if (expression.length > CHECK_LIMITS.working.characters) return { fault: 'the working is too long' }
    const queries = first === undefined ? this.queries : [first, ...this.queries.filter(query => query !== first)]
    try {
      const reader = new WorkingReader(expression, queries, instead, this.#cells, row)
      const whole = yield* reader.read()
      const { value } = whole
      const { terms, shape } = reader
      const { parts } = whole
      const isCell = shape.isLone && parts[0]?.isCell === true && Number.isNaN(value)
      return Number.isFinite(value) || isCell
        ? { value, parts, terms, shape, whole }
        : { fault: 'the working comes to no number' }
    } catch (error) {
      if (error instanceof WorkingFault) return { fault: error.reason }
      throw error
    }
  }
}

export function workOut(expression: string, queries: readonly CheckedQuery[]): WorkedOut {
  return atOnce(new WorkBench(queries).workOut(expression))
}
