import { range, sumOf } from './column-sums.ts'
import { columnsNamed } from './column-words.ts'
import { type Derivation, mentionedRows, numbersIn, shows } from './derivation.ts'
import type { Figure } from './figures.ts'
import { comparableColumns } from './fits.ts'
import { pairs } from './operands.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import { SAYS } from './wording.ts'

/** Sums of a column: over everything, over what a name stands for, over the names of the sentence, over the first rows, over the rest. */
export function isSum(figure: Figure, given: Derivation): boolean {
  const says = SAYS.sum.test(given.wording)
  return (
    given.results.some(result =>
      columnsNamed(comparableColumns(figure, result.numbers), given.words, true).some(column => {
        if (column.key) return false
        return sums(result, column, given, says).some(value => shows(value, column, figure))
      }),
    ) ||
    ((says || given.isWhole === true) && rowSums(figure, given))
  )
}

function sums(result: ResultIndex, column: NumberColumn, given: Derivation, says: boolean): number[] {
  const values: number[] = []
  const total = sumOf(column)
  if ((given.totals || says) && !given.tight && !result.truncated && result.rowCount > 1) values.push(total)
  const own = given.scope.get(result.id)
  if (own !== undefined && own.length > 1) values.push(sumOf(column, own))
  if (given.tight) return values
  for (const mention of given.mentions) {
    const rows = mention.get(result.id)
    if (rows !== undefined && rows.length > 1) values.push(sumOf(column, rows))
  }
  for (const group of given.groups ?? []) {
    const rows = group.get(result.id) ?? []
    if (rows.length > 1) values.push(sumOf(column, rows))
  }
  if (!says) return values
  const named = mentionedRows(result, given)
  if (named.length > 1) values.push(sumOf(column, named))
  if (own !== undefined && SAYS.rest.test(given.wording)) values.push(total - sumOf(column, own))
  if (named.length > 0 && SAYS.rest.test(given.wording)) values.push(total - sumOf(column, named))
  for (const count of numbersIn(given.wording)) if (count > 1 && count < result.rowCount) values.push(sumOf(column, range(count)))
  return values
}

function rowSums(figure: Figure, given: Derivation): boolean {
  const totals = given.isWhole
    ? given.results.flatMap(result => result.numbers.filter(column => column.whole && column.unit === undefined && !column.key))
    : []
  if (given.totals && totals.some(one => totals.some(other => one !== other && shows(sumOf(one) + sumOf(other), one, figure))))
    return true
  return pairs(given, true).some(
    ([one, other]) =>
      one.row === other.row &&
      one.query === other.query &&
      one.column !== other.column &&
      shows(one.value + other.value, one.column, figure),
  )
}
