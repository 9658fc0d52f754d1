import { CHECK_LIMITS } from '../limits.ts'
import { range, sumOf } from '../rows/column-sums.ts'
import { columnsNamed } from '../rows/column-words.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Derivation } from './derivation.ts'
import { comparableColumns } from './fits.ts'
import { columnTime, type GivenNumber, pairs, rowTime, sameKind } from './operands.ts'
import type { Probe } from './probe.ts'

/** Whether the figure is a percentage change between two values. */
export function isRelativeChange(probe: Probe, given: Derivation): boolean {
  const unit = probe.figure.unit?.factor ?? 0.01
  return changePairs(probe, given).some(([one, other]) => {
    const change = (one.value - other.value) / Math.abs(other.value)
    return hasDirection(one, other, probe, given) && probe.fits(Math.abs(change) / unit)
  })
}

/** Whether the figure is the difference of two values. */
export function isDifference(probe: Probe, given: Derivation): boolean {
  const sign = probe.figure.sign === -1 ? -1 : 1
  if (
    changePairs(probe, given).some(
      ([one, other]) =>
        hasDirection(one, other, probe, given) && probe.shows(Math.abs(one.value - other.value) * sign, one.column),
    )
  )
    return true
  const [first, ...others] = given.results
  return (
    first !== undefined &&
    probe.figure.unit === undefined &&
    others.some(other => probe.fits(Math.abs(first.rowCount - other.rowCount)))
  )
}

/** Whether two values fit the words. A value that "rose" must have risen, if the order in time is known. The figure's sign must agree too. */
function hasDirection(later: GivenNumber, earlier: GivenNumber, { figure }: Probe, given: Derivation): boolean {
  if (later.time === undefined || earlier.time === undefined) return true
  if (later.time <= earlier.time) return false
  const said = figure.sign !== 0 ? figure.sign : given.direction
  return said === 0 || Math.sign(later.value - earlier.value) === said
}

/** Returns the pairs of values to subtract: cells of one kind, or the totals of two columns. */
function changePairs({ figure }: Probe, given: Derivation): (readonly [GivenNumber, GivenNumber])[] {
  const isPercent = figure.unit?.dimension === 'part'
  const named = new Set(
    given.results.flatMap(result => [
      ...columnsNamed(isPercent ? result.numbers : comparableColumns(figure, result.numbers), given.words, true),
    ]),
  )
  const isNamed = ({ column }: GivenNumber) => column.isStated || named.has(column as NumberColumn)
  const found = pairs(given, true).filter(([one, other]) => isNamed(one) || isNamed(other))
  found.push(...steps(given))
  for (const result of given.results) {
    if (result.rowCount < 2 || result.truncated || !given.totals) continue
    for (const one of result.numbers)
      for (const other of result.numbers)
        if (one !== other && sameKind(one, other)) found.push([total(one, result), total(other, result)])
  }
  return found
}

/** Returns the pairs of neighbouring rows of each series. */
function steps(given: Derivation): (readonly [GivenNumber, GivenNumber])[] {
  return given.results
    .filter(
      result =>
        result.textColumns.length === 0 && result.rowCount <= CHECK_LIMITS.derive.seriesValues && !given.scope.has(result.id),
    )
    .flatMap(result =>
      result.numbers
        .filter(column => !column.key)
        .flatMap(column =>
          range(result.rowCount - 1).flatMap((row): (readonly [GivenNumber, GivenNumber])[] => {
            const [one, other] = [operandAt(result, column, row), operandAt(result, column, row + 1)]
            return [
              [one, other],
              [other, one],
            ]
          }),
        ),
    )
}

function operandAt(result: ResultIndex, column: NumberColumn, row: number): GivenNumber {
  return { value: column.values[row] ?? Number.NaN, column, query: result.id, row, time: rowTime(result, row) }
}

function total(column: NumberColumn, result: ResultIndex): GivenNumber {
  return { value: sumOf(column), column, query: result.id, row: -1, time: columnTime(column, result) }
}
