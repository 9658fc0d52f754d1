import { SAYS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { meanOf, range, sumOf } from '../rows/column-sums.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import { basesIn, type Derivation, mentionedRows } from './derivation.ts'
import type { Probe } from './probe.ts'

/** Whether the figure is a mean over rows, a mean step of a series, or a quotient such as "per person". */
export function isAverage(probe: Probe, given: Derivation, isTried = false): boolean {
  return (
    quotientsOfTotals(probe, given) ||
    given.results.some(result =>
      result.numbers.some(
        column => !column.key && (isMean(probe, result, column, given) || isQuotient(probe, result, column, given, isTried)),
      ),
    )
  )
}

function isMean(probe: Probe, result: ResultIndex, column: NumberColumn, given: Derivation): boolean {
  const spoken = given.tight ? [] : (given.groups ?? []).map(group => group.get(result.id))
  if (result.rowCount > 1 && probe.shows(column.facts.sum / column.facts.sorted.length, column)) return true
  const groups = [given.scope.get(result.id), mentionedRows(result, given), ...spoken]
  if (groups.some(rows => rows !== undefined && rows.length > 1 && probe.shows(meanOf(column, rows), column))) return true
  const last = column.values[result.rowCount - 1] ?? Number.NaN
  const step = ((column.values[0] ?? Number.NaN) - last) / (result.rowCount - 1)
  return result.rowCount > 2 && probe.shows(Math.abs(step), column)
}

function isQuotient(probe: Probe, result: ResultIndex, column: NumberColumn, given: Derivation, isTried: boolean): boolean {
  if (probe.figure.unit?.dimension === 'part' || (!isTried && !SAYS.per.test(given.wording))) return false
  const rows = (given.scope.get(result.id) ?? range(Math.min(result.rowCount, CHECK_LIMITS.derive.rows))).slice(
    0,
    CHECK_LIMITS.derive.rows,
  )
  const bases = basesIn(given.wording)
  return result.numbers.some(other => {
    if (other === column) return false
    const isShown = rows.some(row =>
      bases.some(base => probe.shows((base * (column.values[row] ?? Number.NaN)) / (other.values[row] ?? Number.NaN), column)),
    )
    return isShown || (given.totals && probe.shows(sumOf(column) / sumOf(other), column))
  })
}

/** Whether the figure is a total of one query divided by a total of another: "$861 per person". */
function quotientsOfTotals(probe: Probe, given: Derivation): boolean {
  if (given.results.length < 2 || given.tight) return false
  const totals = given.results.flatMap(result =>
    result.numbers.filter(column => !column.key).map(column => ({ column, sum: sumOf(column) })),
  )
  return totals.some(one =>
    totals.some(other => one !== other && other.sum !== 0 && probe.shows(one.sum / other.sum, one.column)),
  )
}
