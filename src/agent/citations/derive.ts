import { isAverage } from './averages.ts'
import { isDifference, isRelativeChange } from './changes.ts'
import { range } from './column-sums.ts'
import { type Derivation, MOST_ROWS, mentionedRows } from './derivation.ts'
import type { Figure } from './figures.ts'
import { fits } from './fits.ts'
import { pairs } from './operands.ts'
import { isShare, shares } from './shares.ts'
import { isSum } from './sums.ts'
import { SAYS } from './wording.ts'

const LOST = /(?<!\p{L})(?:lost|loses?|gained|verlor|verloren)(?!\p{L})/iu

/** Whether the figure follows from the rows in a way that its sentence announces. */
export function isDerived(figure: Figure, given: Derivation): boolean {
  return derivations(figure, given).some(candidate => candidate())
}

function derivations(figure: Figure, given: Derivation): (() => boolean)[] {
  const percent = figure.unit?.dimension === 'part'
  const { wording } = given
  const candidates = [() => isSum(figure, given)]
  if (percent)
    candidates.push(
      () => isShare(figure, given),
      () => isRelativeChange(figure, given),
    )
  const lost = figure.unit?.dimension !== 'part' && LOST.test(wording)
  if (SAYS.difference.test(wording) || lost || figure.sign !== 0) candidates.push(() => isDifference(figure, given))
  if (SAYS.ratio.test(wording) || figure.word === 'ratio') candidates.push(() => isRatio(figure, given))
  if (SAYS.average.test(wording)) candidates.push(() => isAverage(figure, given))
  if (figure.unit?.dimension === 'time') candidates.push(() => isTimeSpan(figure, given))
  return candidates
}

function isRatio(figure: Figure, given: Derivation): boolean {
  if (
    figure.unit !== undefined &&
    figure.unit.dimension !== 'part' &&
    figure.unit.dimension !== 'money' &&
    !SAYS.average.test(given.wording)
  )
    return false
  return (
    pairs(given, false).some(
      ([one, other]) =>
        fits(one.value / other.value, figure) || (figure.word === 'ratio' && fits(1 - one.value / other.value, figure)),
    ) ||
    (figure.word === 'ratio' && shares(given).some(value => fits(value, figure)))
  )
}

/** Spans between two times of the rows: "3.5 hours later". */
function isTimeSpan(figure: Figure, given: Derivation): boolean {
  return given.results.some(result => {
    const named = mentionedRows(result, given)
    const rows = named.length > 1 ? named : range(Math.min(result.rowCount, MOST_ROWS))
    const times = result.times.flatMap(column => rows.map(row => column.values[row] ?? Number.NaN))
    return times.some(one => times.some(other => one > other && fits((one - other) / 1000 / (figure.unit?.factor ?? 1), figure)))
  })
}
