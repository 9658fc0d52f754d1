import type { UnexplainedQuery } from './run-result.ts'

/** Collects the rows of a plan's data questions, and tells them once the plan is settled and none is missing; again, where one of them changes. */
export class RowsOfPlan {
  readonly #onRows: (queries: readonly UnexplainedQuery[]) => void
  readonly #listeners = new Map<number, object>()
  readonly #queries = new Map<number, UnexplainedQuery>()
  #expected: number | undefined

  constructor(onRows: (queries: readonly UnexplainedQuery[]) => void) {
    this.#onRows = onRows
  }

  /** What takes the rows of the data question at this place, from 0; whoever had it before is not heard any more, and what it said is void. */
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

  /** The plan is settled, and has so many data questions. */
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
