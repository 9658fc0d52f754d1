import type { UnexplainedQuery } from '../run/result.ts'

/**
 * Collects the rows of a plan's data questions. When the plan is final and each data question has rows, passes all rows on. After
 * each change, passes all rows on again.
 */
export class RowsOfPlan {
  readonly #onRows: (queries: readonly UnexplainedQuery[]) => void
  readonly #listeners = new Map<number, object>()
  readonly #queries = new Map<number, UnexplainedQuery>()
  #expected: number | undefined

  constructor(onRows: (queries: readonly UnexplainedQuery[]) => void) {
    this.#onRows = onRows
  }

  /**
   * Returns a function that receives the rows of one data question. A new receiver for the same index replaces the old one and
   * drops its rows.
   * @param index the position of the data question, from 0
   */
  listener(index: number): (query: UnexplainedQuery) => void {
    const own = {}
    this.#listeners.set(index, own)
    this.#queries.delete(index)
    return query => {
      if (this.#listeners.get(index) !== own) return
      this.#queries.set(index, query)
      this.#tell()
    }
  }

  /** Sets how many data questions the final plan has. */
  expect(count: number): void {
    this.#expected = count
    this.#tell()
  }

  #tell(): void {
    const places = Array.from({ length: this.#expected ?? 0 }, (_, index) => this.#queries.get(index))
    const queries = places.filter(query => query !== undefined)
    if (queries.length > 0 && queries.length === places.length) this.#onRows(queries)
  }
}
