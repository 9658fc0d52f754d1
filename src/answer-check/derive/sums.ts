import { SAYS } from '../figures/wording.ts'
import { range, sumOf } from '../rows/column-sums.ts'
import { columnsNamed } from '../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import { type Derivation, mentionedRows, numbersIn } from './derivation.ts'
import { comparableColumns } from './fits.ts'
import { pairs, sameKind } from './operands.ts'
import type { Probe } from './probe.ts'

/** Whether the figure is a sum of a column: over all rows, the rows of a name, all named rows, the first rows, or the other rows. */
export function isSum(probe: Probe, given: Derivation, isTried = false): boolean {
  const says = isTried || SAYS.sum.test(given.wording)
  const rest = SAYS.rest.test(given.wording)
  return (
    given.results.some(result =>
      columnsNamed(comparableColumns(probe.figure, result.numbers), given.words, true).some(
        column => !column.key && sums(result, column, given, says, rest).some(value => probe.shows(value, column)),
      ),
    ) ||
    ((says || given.isWhole === true) && rowSums(probe, given)) ||
    (says && !isTried && isStatedSum(probe, given))
  )
}

function sums(result: ResultIndex, column: NumberColumn, given: Derivation, says: boolean, rest: boolean): number[] {
  const values: number[] = []
  const total = sumOf(column)
  if ((given.totals || says) && !given.tight && !result.truncated && result.rowCount > 1) values.push(total)
  const own = given.scope.get(result.id)
  if (own !== undefined && own.length > 1) values.push(sumOf(column, own))
  if (given.tight) return values
  for (const group of [...given.mentions, ...(given.groups ?? [])]) {
    const rows = group.get(result.id)
    if (rows !== undefined && rows.length > 1) values.push(sumOf(column, rows))
  }
  if (!says) return values
  const named = mentionedRows(result, given)
  if (named.length > 1) values.push(sumOf(column, named))
  if (own !== undefined && rest) values.push(total - sumOf(column, own))
  if (named.length > 0 && rest) values.push(total - sumOf(column, named))
  for (const count of numbersIn(given.wording)) {
    if (count >= result.rowCount) continue
    values.push(sumOf(column, range(count)), sumOf(column, lastRows(result, count)))
    if (rest) values.push(total - sumOf(column, range(count)))
  }
  return values
}

function lastRows(result: ResultIndex, count: number): number[] {
  return range(count).map(row => result.rowCount - 1 - row)
}

/** Whether the figure is the sum of figures that stand one after another: "1,043 and 478, together 1,521". */
function isStatedSum(probe: Probe, { stated }: Derivation): boolean {
  return stated.some((first, from) => {
    let sum = first.value
    for (const next of stated.slice(from + 1)) {
      if (!sameKind(first.column, next.column)) return false
      sum += (next.value * (next.column.unit?.factor ?? 1)) / (first.column.unit?.factor ?? 1)
      if (probe.shows(sum, first.column)) return true
    }
    return false
  })
}

function rowSums(probe: Probe, given: Derivation): boolean {
  const totals = given.isWhole
    ? given.results.flatMap(result => result.numbers.filter(column => column.whole && column.unit === undefined && !column.key))
    : []
  if (given.totals && totals.some(one => totals.some(other => one !== other && probe.shows(sumOf(one) + sumOf(other), one))))
    return true
  return pairs(given, true).some(
    ([one, other]) =>
      one.row === other.row &&
      one.query === other.query &&
      one.column !== other.column &&
      probe.shows(one.value + other.value, one.column),
  )
}
