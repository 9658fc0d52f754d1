import { range, sumOf } from './column-sums.ts'
import { type Derivation, MOST_GROUP, MOST_ROWS, mentionedRows, numbersIn, shows } from './derivation.ts'
import type { Figure } from './figures.ts'
import { fits } from './fits.ts'
import { operands, pairs } from './operands.ts'
import { SAYS } from './wording.ts'

export function isShare(figure: Figure, given: Derivation): boolean {
  const showsPart = (value: number) => fits(value / (figure.unit?.factor ?? 0.01), figure)
  return (
    shares(given).some(value => showsPart(value) || (SAYS.rest.test(given.wording) && showsPart(1 - value))) ||
    percentRest(figure, given)
  )
}

function percentRest(figure: Figure, given: Derivation): boolean {
  if (!SAYS.rest.test(given.wording)) return false
  return operands(given).some(
    ({ value, column }) => column.unit?.dimension === 'part' && shows(1 / column.unit.factor - value, column, figure),
  )
}

/** Parts of a whole: cells and sums over their column's total, over the total of a name, over another column of their row. */
export function shares(given: Derivation): number[] {
  const values: number[] = []
  for (const result of given.results) {
    for (const column of result.numbers) {
      if (column.key || column.unit?.dimension === 'part') continue
      const own = given.scope.get(result.id)
      const named = mentionedRows(result, given)
      const rows = own ?? (named.length > 0 ? named : range(Math.min(result.rowCount, MOST_ROWS)))
      const wholes = [
        sumOf(column),
        ...given.mentions
          .map(mention => mention.get(result.id))
          .filter(rows => rows !== undefined && rows.length > 1)
          .map(rows => sumOf(column, rows)),
      ]
      const parts = [...rows.slice(0, MOST_GROUP).map(row => column.values[row] ?? Number.NaN), sumOf(column, rows)]
      if (named.length > 1) parts.push(sumOf(column, named))
      for (const count of numbersIn(given.wording))
        if (count > 1 && count < result.rowCount) parts.push(sumOf(column, range(count)))
      for (const whole of wholes)
        for (const part of parts) if (whole !== 0 && (whole !== part || given.inTable)) values.push(part / whole)
      for (const other of result.numbers) {
        if (other === column || other.key || other.unit?.dimension !== column.unit?.dimension) continue
        const factor = (column.unit?.factor ?? 1) / (other.unit?.factor ?? 1)
        if (column.whole && other.whole && column.unit === undefined) {
          for (const row of rows.slice(0, MOST_GROUP)) {
            const part = column.values[row] ?? Number.NaN
            values.push(part / (part + (other.values[row] ?? Number.NaN)))
          }
        }
        for (const row of rows.slice(0, MOST_GROUP))
          values.push((factor * (column.values[row] ?? Number.NaN)) / (other.values[row] ?? Number.NaN))
        if (given.totals || own === undefined) values.push((factor * sumOf(column)) / sumOf(other))
      }
    }
  }
  if (given.inTable) values.push(1)
  if (!given.tight) {
    const measures = pairs(given, false).filter(
      ([one, other]) => one.column.unit?.dimension !== 'part' && other.column.unit?.dimension !== 'part',
    )
    values.push(...measures.map(([one, other]) => one.value / other.value))
  }
  return values
}
