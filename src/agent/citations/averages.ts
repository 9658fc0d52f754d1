import { meanOf, range, sumOf } from './column-sums.ts'
import { basesIn, type Derivation, MOST_ROWS, mentionedRows, shows } from './derivation.ts'
import type { Figure } from './figures.ts'
import { SAYS } from './wording.ts'

export function isAverage(figure: Figure, given: Derivation): boolean {
  return (
    quotientsOfTotals(figure, given) ||
    given.results.some(result => {
      const own = given.scope.get(result.id)
      const named = mentionedRows(result, given)
      return result.numbers.some(column => {
        if (column.key) return false
        const groups = [own, named, range(result.rowCount)].filter(rows => rows !== undefined && rows.length > 1)
        if (groups.some(rows => rows !== undefined && shows(meanOf(column, rows), column, figure))) return true
        const last = column.values[result.rowCount - 1] ?? Number.NaN
        const steps = ((column.values[0] ?? Number.NaN) - last) / (result.rowCount - 1)
        if (result.rowCount > 2 && shows(Math.abs(steps), column, figure)) return true
        return result.numbers.some(other => {
          if (other === column || figure.unit?.dimension === 'part' || !SAYS.per.test(given.wording)) return false
          if (
            (own ?? range(Math.min(result.rowCount, MOST_ROWS))).some(row =>
              basesIn(given.wording).some(base =>
                shows((base * (column.values[row] ?? Number.NaN)) / (other.values[row] ?? Number.NaN), column, figure),
              ),
            )
          )
            return true
          return given.totals && shows(sumOf(column) / sumOf(other), column, figure)
        })
      })
    })
  )
}

/** "$861 per person" over two queries: one's total by the other's. */
function quotientsOfTotals(figure: Figure, given: Derivation): boolean {
  if (given.results.length < 2 || given.tight) return false
  const totals = given.results.flatMap(result =>
    result.numbers.filter(column => !column.key).map(column => ({ column, sum: sumOf(column) })),
  )
  return totals.some(one =>
    totals.some(other => one !== other && other.sum !== 0 && shows(one.sum / other.sum, one.column, figure)),
  )
}
