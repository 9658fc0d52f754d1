import type { CheckedQuery } from '../checked-query.ts'
import type { Figure } from '../figures/figure.ts'
import { parseDates } from '../figures/figures.ts'
import { isGiven } from '../given-figures.ts'
import type { Grounds } from '../parse-text.ts'
import { positionOf } from './condition.ts'
import { comesTo } from './shown-cells.ts'
import { isHour } from './shown-times.ts'
import type { WorkedPart } from './worked-part.ts'

/** Whether a figure repeats the value of a condition: "above 4 min" for `count(wait_s > 240)`, "since July" for `count(day >= '2026-07-01')`. */
export function repeatsCondition(
  figure: Figure,
  text: string,
  part: WorkedPart,
  queries: readonly CheckedQuery[],
  { results, given }: Grounds,
): boolean {
  const query = queries.find(({ id }) => id === part.query)
  return part.conditions.some(({ column, operator, value }) => {
    if (typeof value === 'string')
      return figure.date !== undefined && isGiven(figure, text, { ...given, dates: parseDates(value) })
    const name = query?.columns[positionOf(query, column)]?.name
    if (value === null || name === undefined) return false
    const parts = [{ ...part, column: name, isCell: false }]
    // "From 8 to 11" repeats `hour < 12`.
    const last = operator === '<' ? value - 1 : operator === '>' ? value + 1 : value
    return [value, last].some(
      limit => isHour(figure, { value: limit, parts }) || comesTo(figure, { value: limit, parts }, results),
    )
  })
}
