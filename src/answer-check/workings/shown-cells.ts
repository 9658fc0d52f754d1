import type { Figure } from '../figures/figure.ts'
import { conversions, fits } from '../figures/fits.ts'
import { namedUnit } from '../figures/units.ts'
import type { Grounds } from '../parse-text.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import { cellsShowing, type Match } from '../support.ts'
import type { Worked, WorkedPart } from './worked-part.ts'

/** Returns the cells of a working's part that show the figure. Units are converted. */
export function cellsOf(figure: Figure, part: WorkedPart, { results, zones }: Grounds): Match[] {
  return part.isCell ? cellsShowing(figure, columnOf(part, results), new Map([[part.query, part.rows]]), zones) : []
}

/** Returns the result that a part reads, reduced to the part's column. */
export function columnOf({ query, column }: WorkedPart, results: readonly ResultIndex[]): ResultIndex[] {
  const isIt = ({ name }: { readonly name: string }) => name.toLowerCase() === column?.toLowerCase()
  return results
    .filter(({ id }) => id === query)
    .map(result => ({ ...result, numbers: result.numbers.filter(isIt), times: result.times.filter(isIt) }))
}

/** Whether the figure shows a working's value. The value may be converted to percent or to another unit. */
export function comesTo(
  figure: Figure,
  { value, parts }: Pick<Worked, 'value' | 'parts'>,
  results: readonly ResultIndex[],
): boolean {
  const columns = parts.flatMap(part => columnOf(part, results).flatMap(({ numbers }) => numbers))
  const [column, ...others] = columns
  // A cell of 92 ms does not prove "92 s", and a cell of 2.75 % does not prove "2.75 ms".
  const isCell = parts.length === 1 && parts.some(part => part.isCell && part.rows.some(row => column?.values[row] === value))
  const isOfUnit =
    isCell &&
    others.length === 0 &&
    figure.unit !== undefined &&
    column?.unit !== undefined &&
    // The name may hold two units: `hours_share_pct`, `price_kwh`.
    (namedUnit(column.words.slice(-2).join('_')) ?? column.unit).dimension === column.unit.dimension &&
    !(figure.unit.dimension === 'money' && column.unit.dimension !== 'time' && column.unit.dimension !== 'part')
  const factors = new Set([
    ...(isOfUnit ? [] : [1]),
    ...(figure.unit?.dimension === 'part' ? [1 / figure.unit.factor] : []),
    ...columns.flatMap(column => conversions(figure, column)),
    ...(figure.unit?.dimension === 'time' && parts.some(part => part.isTime) ? [1 / figure.unit.factor] : []),
  ])
  return [...factors].some(factor => fits(factor * value, figure) || fits(-factor * value, figure))
}
