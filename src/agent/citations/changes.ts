import { range, sumOf } from './column-sums.ts'
import { columnsNamed } from './column-words.ts'
import { type Derivation, shows } from './derivation.ts'
import type { Figure } from './figures.ts'
import { comparableColumns, fits } from './fits.ts'
import { columnTime, type Operand, pairs, rowTime, sameKind } from './operands.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import { SAYS } from './wording.ts'

export function isRelativeChange(figure: Figure, given: Derivation): boolean {
  if (!SAYS.difference.test(given.wording) && figure.sign === 0) return false
  const unit = figure.unit?.factor ?? 0.01
  return changePairs(figure, given).some(([one, other]) => {
    const change = (one.value - other.value) / Math.abs(other.value)
    return hasDirection(one, other, figure, given) && fits(Math.abs(change) / unit, figure)
  })
}

export function isDifference(figure: Figure, given: Derivation): boolean {
  if (
    changePairs(figure, given).some(
      ([one, other]) =>
        hasDirection(one, other, figure, given) &&
        shows(Math.abs(one.value - other.value) * (figure.sign === -1 ? -1 : 1), one.column, figure),
    )
  )
    return true
  const [first, ...others] = given.results
  return (
    first !== undefined &&
    figure.unit === undefined &&
    others.some(other => fits(Math.abs(first.rowCount - other.rowCount), figure))
  )
}

/** Where both operands' order in time is known, what is said to rise did rise; a sign in front is held to as well. */
function hasDirection(later: Operand, earlier: Operand, figure: Figure, given: Derivation): boolean {
  if (later.time === undefined || earlier.time === undefined) return true
  if (later.time <= earlier.time) return false
  const said = figure.sign !== 0 ? figure.sign : given.direction
  return said === 0 || Math.sign(later.value - earlier.value) === said
}

/** Pairs to subtract: cells of one kind, and the totals of two columns. */
function changePairs(figure: Figure, given: Derivation): [Operand, Operand][] {
  const named = new Set(
    given.results.flatMap(result => [
      ...columnsNamed(
        figure.unit?.dimension === 'part' ? result.numbers : comparableColumns(figure, result.numbers),
        given.words,
        true,
      ),
    ]),
  )
  const found = pairs(given, true).filter(([one, other]) => named.has(one.column) || named.has(other.column))
  found.push(...steps(given))
  for (const result of given.results) {
    if (result.rowCount < 2 || result.truncated || !given.totals) continue
    for (const one of result.numbers) {
      for (const other of result.numbers) {
        if (one === other || !sameKind(one, other)) continue
        found.push([total(one, result), total(other, result)])
      }
    }
  }
  return found
}

/** Each row of a series against the one before it. */
function steps(given: Derivation): [Operand, Operand][] {
  return given.results
    .filter(result => result.textColumns.length === 0 && result.rowCount <= 60 && given.scope.get(result.id) === undefined)
    .flatMap(result =>
      result.numbers
        .filter(column => !column.key)
        .flatMap(column =>
          range(result.rowCount - 1).map((row): [Operand, Operand] => {
            const at = (index: number) => ({
              value: column.values[index] ?? Number.NaN,
              column,
              query: result.id,
              row: index,
              time: rowTime(result, index),
            })
            return [at(row + 1), at(row)]
          }),
        ),
    )
}

function total(column: NumberColumn, result: ResultIndex): Operand {
  return { value: sumOf(column), column, query: result.id, row: -1, time: columnTime(column, result) }
}
