import { SAYS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { range, sumOf } from '../rows/column-sums.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import { type Derivation, mentionedRows, numbersIn } from './derivation.ts'
import { operands, pairs } from './operands.ts'
import type { Probe } from './probe.ts'

/** Whether the figure is a percentage of a whole. */
export function isShare(probe: Probe, given: Derivation): boolean {
  const unit = probe.figure.unit?.factor ?? 0.01
  const rest = SAYS.rest.test(given.wording)
  return (
    shares(given).some(value => probe.fits(value / unit) || (rest && probe.fits((1 - value) / unit))) ||
    percentRest(probe, given, rest)
  )
}

function percentRest(probe: Probe, given: Derivation, rest: boolean): boolean {
  if (!rest) return false
  return operands(given).some(
    ({ value, column }) => column.unit?.dimension === 'part' && probe.shows(1 / column.unit.factor - value, column),
  )
}

/** Returns the possible shares. The whole may be a column's total, a name's total, another column, or a total in another query. */
export function shares(given: Derivation): number[] {
  const values: number[] = []
  for (const result of given.results) {
    for (const column of result.numbers) {
      if (column.key || column.unit?.dimension === 'part') continue
      values.push(...sharesOfColumn(result, column, given), ...sharesOfOthers(result, column, given))
    }
  }
  if (given.inTable) values.push(1)
  if (given.tight) return values
  const measures = pairs(given, false).filter(
    ([one, other]) => one.column.unit?.dimension !== 'part' && other.column.unit?.dimension !== 'part',
  )
  values.push(...measures.map(([one, other]) => one.value / other.value))
  return values
}

function rowsOf(result: ResultIndex, given: Derivation): readonly number[] {
  const named = mentionedRows(result, given)
  const rows =
    given.scope.get(result.id) ?? (named.length > 0 ? named : range(Math.min(result.rowCount, CHECK_LIMITS.derive.rows)))
  return rows.slice(0, CHECK_LIMITS.derive.parts)
}

function sharesOfColumn(result: ResultIndex, column: NumberColumn, given: Derivation): number[] {
  const named = mentionedRows(result, given)
  const rows = rowsOf(result, given)
  const wholes = [
    sumOf(column),
    ...given.mentions
      .map(mention => mention.get(result.id))
      .filter(rows => rows !== undefined && rows.length > 1)
      .slice(0, CHECK_LIMITS.derive.wholes)
      .map(rows => sumOf(column, rows)),
  ]
  const parts = [...rows.map(row => column.values[row] ?? Number.NaN), sumOf(column, given.scope.get(result.id) ?? rows)]
  if (named.length > 1) parts.push(sumOf(column, named))
  if (!given.tight) parts.push(...groupSums(result, column, given))
  for (const count of numbersIn(given.wording)) if (count < result.rowCount) parts.push(sumOf(column, range(count)))
  const values: number[] = []
  for (const whole of wholes)
    for (const part of parts) if (whole !== 0 && (whole !== part || given.inTable)) values.push(part / whole)
  return values
}

function groupSums(result: ResultIndex, column: NumberColumn, { groups = [] }: Derivation): number[] {
  return groups.flatMap(group => {
    const rows = group.get(result.id) ?? []
    return rows.length > 0 ? [sumOf(column, rows)] : []
  })
}

function sharesOfOthers(result: ResultIndex, column: NumberColumn, given: Derivation): number[] {
  const rows = rowsOf(result, given)
  const values: number[] = []
  for (const other of result.numbers) {
    if (other === column || other.key || other.unit?.dimension !== column.unit?.dimension) continue
    const factor = (column.unit?.factor ?? 1) / (other.unit?.factor ?? 1)
    const isCount = column.whole && other.whole && column.unit === undefined
    for (const row of rows) {
      const part = column.values[row] ?? Number.NaN
      const whole = other.values[row] ?? Number.NaN
      values.push((factor * part) / whole)
      if (isCount) values.push(part / (part + whole))
    }
    if (given.totals || given.scope.get(result.id) === undefined) values.push((factor * sumOf(column)) / sumOf(other))
    if (!given.tight)
      for (const group of given.groups ?? []) {
        const rows = group.get(result.id) ?? []
        if (rows.length > 0) values.push((factor * sumOf(column, rows)) / sumOf(other, rows))
      }
  }
  for (const foreign of given.results) {
    if (foreign === result || given.tight || !given.totals) continue
    for (const other of foreign.numbers) {
      if (
        other.key ||
        column.unit === undefined ||
        other.unit?.dimension !== column.unit.dimension ||
        foreign.rowCount > CHECK_LIMITS.derive.rows
      )
        continue
      const factor = column.unit.factor / other.unit.factor
      for (const whole of [...other.values, sumOf(other)]) values.push((factor * sumOf(column)) / whole)
    }
  }
  return values
}
