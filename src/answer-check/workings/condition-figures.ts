import type { CheckedQuery } from '../checked-query.ts'
import type { Figure } from '../figures/figure.ts'
import { parseDates } from '../figures/figures.ts'
import { sameDate } from '../given-figures.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { positionOf } from './condition.ts'
import { comesTo } from './shown-cells.ts'
import { isHour } from './shown-times.ts'
import type { WorkedPart } from './worked-part.ts'

/** Whether a figure repeats the value of a condition: "above 4 min" for `count(wait_s > 240)`, "since July" for `count(day >= '2026-07-01')`. */
export function repeatsCondition(
  figure: Figure,
  part: WorkedPart,
  queries: readonly CheckedQuery[],
  results: readonly ResultIndex[],
): boolean {
  const query = queries.find(({ id }) => id === part.query)
  return part.conditions.some(({ column, value }) => {
    if (typeof value === 'string') return figure.date !== undefined && parseDates(value).some(date => sameDate(figure.date, date))
    const name = query?.columns[positionOf(query, column)]?.name
    if (value === null || name === undefined) return false
    const read = { value, parts: [{ ...part, column: name, isCell: false }] }
    return isHour(figure, read) || comesTo(figure, read, results)
  })
}
