import type { Figure } from '../figures/figure.ts'
import { SAYS } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { range } from '../rows/column-sums.ts'
import { columnsNamed } from '../rows/column-words.ts'
import { isAverage } from './averages.ts'
import { isDifference, isRelativeChange } from './changes.ts'
import { type Derivation, mentionedRows } from './derivation.ts'
import { comparableColumns } from './fits.ts'
import { pairs } from './operands.ts'
import { Probe } from './probe.ts'
import { isShare, shares } from './shares.ts'
import { isSum } from './sums.ts'

const LOST = /(?<!\p{L})(?:lost|loses?|gained|verlor|verloren)(?!\p{L})/iu

/** Whether the figure follows from the rows by a derivation that its sentence announces. */
export function isAnnounced(figure: Figure, given: Derivation): boolean {
  if (given.budget.isSpent) return false
  const probe = new Probe(figure, given.budget)
  const { wording } = given
  const isPercent = figure.unit?.dimension === 'part'
  if (isSum(probe, given) || isExtremeOfGroup(probe, given)) return true
  const saysDifference = SAYS.difference.test(wording) || figure.sign !== 0
  if (isPercent && (isShare(probe, given) || (saysDifference && isRelativeChange(probe, given)))) return true
  if ((saysDifference || (!isPercent && LOST.test(wording))) && isDifference(probe, given)) return true
  if ((SAYS.ratio.test(wording) || figure.word === 'ratio') && isRatio(probe, given)) return true
  if (SAYS.average.test(wording) && isAverage(probe, given)) return true
  return figure.unit?.dimension === 'time' && isTimeSpan(probe, given)
}

/** Whether the figure is a sum over the rows that it describes. */
export function isSumOfScope(figure: Figure, given: Derivation): boolean {
  return (
    figure.unit?.dimension !== 'part' &&
    isSum(new Probe(figure, given.budget), { ...given, wording: '', totals: false, groups: [], mentions: [], stated: [] })
  )
}

/**
 * Whether an unannounced derivation explains the figure. The figure needs many digits and must have no similar cell, so that a match by chance is
 * unlikely.
 */
export function isTelling(figure: Figure, meant: Derivation): boolean {
  const given = { ...meant, words: [] }
  if (
    given.budget.isSpent ||
    (given.tight && !given.inTable) ||
    figure.word !== undefined ||
    figure.about !== undefined ||
    figure.readings.length === 0
  )
    return false
  const probe = new Probe(figure, given.budget, true)
  if (isNearCell(probe, given)) return false
  isSum(probe, given, true)
  if (figure.unit?.dimension === 'part') {
    isShare(probe, given)
    isRelativeChange(probe, given)
  }
  isDifference(probe, given)
  isRatio(probe, given)
  isAverage(probe, given, true)
  return probe.isTelling(CHECK_LIMITS.derive.chance)
}

/** Whether the figure is probably a slip: it is close to a cell in scope, or equals any cell of a comparable column. */
function isNearCell(probe: Probe, given: Derivation): boolean {
  return given.results.some(result => {
    const rows = given.scope.get(result.id) ?? range(Math.min(result.rowCount, CHECK_LIMITS.derive.rows))
    return comparableColumns(probe.figure, result.numbers).some(
      column =>
        probe.isInColumn(column) ||
        rows.slice(0, CHECK_LIMITS.derive.rows).some(row => probe.isNear(column.values[row] ?? Number.NaN, column)),
    )
  })
}

function isRatio(probe: Probe, given: Derivation): boolean {
  const { figure } = probe
  const dimension = figure.unit?.dimension
  if (dimension !== undefined && dimension !== 'part' && dimension !== 'money' && !SAYS.average.test(given.wording)) return false
  const isWord = figure.word === 'ratio'
  return (
    pairs(given, false).some(
      ([one, other]) => probe.fits(one.value / other.value) || (isWord && probe.fits(1 - one.value / other.value)),
    ) ||
    (isWord && shares(given).some(value => probe.fits(value)))
  )
}

/** Whether the figure is the time between two rows: "3.5 hours later". */
function isTimeSpan(probe: Probe, given: Derivation): boolean {
  const times = given.results.flatMap(result => {
    const named = mentionedRows(result, given)
    const rows =
      named.length > 1 ? named.slice(0, CHECK_LIMITS.derive.rows) : range(Math.min(result.rowCount, CHECK_LIMITS.derive.rows))
    return result.times.flatMap(column => rows.map(row => column.values[row] ?? Number.NaN))
  })
  const unit = 1000 * (probe.figure.unit?.factor ?? 1)
  return times.some(one => times.some(other => one > other && probe.fits((one - other) / unit)))
}

/**
 * Whether the figure is the lowest or highest value of a group of rows, or the distance between the two: the 21 and the 39 of "21 to 39 up to 17
 * November".
 */
function isExtremeOfGroup(probe: Probe, given: Derivation): boolean {
  if (given.tight || given.ranged === undefined) return false
  return given.results.some(result =>
    columnsNamed(comparableColumns(probe.figure, result.numbers), given.words, true).some(column =>
      (given.ranged ?? []).some(group => {
        const values = (group.get(result.id) ?? []).map(row => column.values[row] ?? Number.NaN).filter(Number.isFinite)
        const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
        const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
        return values.length > 0 && (probe.shows(least, column) || probe.shows(most, column) || probe.shows(most - least, column))
      }),
    ),
  )
}
