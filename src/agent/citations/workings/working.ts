import { atOnce } from '../../../slices.ts'
import type { UnexplainedQuery } from '../../run-result.ts'
import { Budget } from '../budget.ts'
import type { WorkedPart } from './worked-part.ts'
import { WorkingFault } from './working-fault.ts'
import { WorkingReader } from './working-reader.ts'

const MOST_CHARACTERS = 600
/** Cells that the workings of one sentence read: three hundred times a column of a large result, which takes a second in slices. */
const MOST_CELLS = 3_000_000

/** What a working comes to, and the rows that it is made of; or why it cannot be worked out. */
export type WorkedOut =
  | {
      /** NaN where it is one cell that holds no number: a day, a name. */
      readonly value: number
      readonly parts: readonly WorkedPart[]
    }
  | { readonly fault: string }

/** Works out the workings of one sentence: each of them once, and together over so many cells. */
export class WorkBench {
  /** Those that workings may be about, the likeliest first; `Q2.sum(x)` names one. */
  readonly queries: readonly UnexplainedQuery[]
  readonly #cells = new Budget(MOST_CELLS)
  readonly #known = new Map<string, WorkedOut>()

  constructor(queries: readonly UnexplainedQuery[]) {
    this.queries = queries
  }

  /**
   * Works a working out over whole results. It is arithmetic (`+ - * /` and parentheses) over cells, `rtt_ms[3]` by the number of a row or
   * `rtt_ms['fra-dz01']` by what stands in it, and over `count`, `distinct`, `sum`, `avg`, `min`, `max` and `value` (of exactly one row), each over the rows of one query
   * that meet its conditions.
   * @param first the query that is likelier than the others
   * @param instead rows of cells, from 0, and values of conditions that are to be read in the place of others: what the same working comes to elsewhere
   */
  *workOut(
    expression: string,
    first?: UnexplainedQuery,
    instead?: ReadonlyMap<number | string, number | string>,
  ): Generator<void, WorkedOut> {
    if (instead !== undefined) return yield* this.#work(expression, first, instead)
    const key = `${first?.id ?? ''}:${expression}`
    const worked = this.#known.get(key) ?? (yield* this.#work(expression, first))
    this.#known.set(key, worked)
    return worked
  }

  *#work(
    expression: string,
    first: UnexplainedQuery | undefined,
    instead: ReadonlyMap<number | string, number | string> = new Map(),
  ): Generator<void, WorkedOut> {
    if (expression.length > MOST_CHARACTERS) return { fault: 'the working is too long' }
    const queries = first === undefined ? this.queries : [first, ...this.queries.filter(query => query !== first)]
    try {
      const reader = new WorkingReader(expression, queries, instead, this.#cells)
      const value = yield* reader.read()
      const { parts } = reader
      const isCell = reader.isLone && parts[0]?.isCell === true && Number.isNaN(value)
      return Number.isFinite(value) || isCell ? { value, parts } : { fault: 'the working comes to no number' }
    } catch (error) {
      if (error instanceof WorkingFault) return { fault: error.reason }
      throw error
    }
  }
}

/** Works out a working alone. */
export function workOut(expression: string, queries: readonly UnexplainedQuery[]): WorkedOut {
  return atOnce(new WorkBench(queries).workOut(expression))
}
