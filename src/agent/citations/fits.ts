import type { Figure, Reading } from './figure.ts'
import type { NumberColumn } from './result-index.ts'
import type { Unit } from './units.ts'

/** "About" may leave out so much at most, and "over", "under" be so far off. */
const LOOSE = 0.15
const OVER = 0.5
/** Words such as "twice" and "a third" are held to so much. */
const WORD_TOLERANCE = 0.04
const LOOSE_WORD_TOLERANCE = 0.15
/** A double holds so many decimal digits; beyond, cells are compared by their text. */
const DOUBLE_DIGITS = 15

/** Values from `low` to `high`. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Whether a value, in the figure's unit, is what the figure shows: to the digits shown, or as its wording ("about", "over") leaves open. */
export function fits(value: number, figure: Figure): boolean {
  return shownBy(figure).some(({ low, high }) => value >= low && value <= high)
}

/** The values, in the figure's unit, that the figure can show; one interval for each reading of its digits. */
export function shownBy(figure: Figure): Interval[] {
  return figure.readings.map(reading => intervalOf(reading, figure))
}

function intervalOf(reading: Reading, figure: Figure): Interval {
  const shown = reading.value
  const noise = Math.abs(shown) * 1e-12
  const { about } = figure
  const from = about === 'over' ? shown - noise : undefined
  const to = about === 'under' ? shown + noise : undefined
  const room = roomOf(reading, figure) + noise
  return { low: from ?? shown - room, high: to ?? shown + room }
}

/** How far a value may be from the one that is written. */
function roomOf(reading: Reading, { word, about }: Figure): number {
  const shown = Math.abs(reading.value)
  if (word === 'ratio') return (about === undefined ? WORD_TOLERANCE : LOOSE_WORD_TOLERANCE) * shown
  const exact = reading.step / 2
  if (about === undefined) return exact
  if (about === 'about') return Math.max(exact, Math.min(reading.looseStep / 2, LOOSE * shown))
  return Math.max(exact, Math.min(reading.looseStep, OVER * shown))
}

/** By what a column's values are multiplied to be in the figure's unit; none where the units cannot be of the same thing. */
export function conversions(figure: Figure, column: Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>): number[] {
  const { unit } = figure
  if (column.unit === undefined) {
    if (unit?.dimension !== 'part') return [1]
    if (column.whole) return []
    return column.fraction ? [100, 1] : [1]
  }
  if (unit === undefined) return [1]
  if (unit.dimension !== column.unit.dimension) return []
  const factor = partFactor(column.unit, column.fraction) / unit.factor
  return [Math.abs(factor - 1) < 1e-9 ? 1 : factor]
}

/** The columns that a figure can be of: those in units of its kind where there are any, else those that its unit does not rule out. */
export function comparableColumns(figure: Figure, columns: readonly NumberColumn[]): readonly NumberColumn[] {
  const dimension = figure.unit?.dimension
  const possible = columns.filter(column => conversions(figure, column).length > 0)
  const alike = dimension === undefined ? [] : possible.filter(column => column.unit?.dimension === dimension)
  // What has fractions and no unit in its name may be in any: "avg_wait" beside "change_minutes".
  if (alike.length > 0)
    return [...alike, ...possible.filter(column => column.unit === undefined && !column.whole && dimension !== 'part')]
  const fractions = dimension === 'part' ? possible.filter(column => column.fraction && !column.whole) : []
  if (fractions.length > 0) return fractions
  // A whole number without unit is a count before it is a share.
  const counted = possible.filter(column => column.unit?.dimension !== 'part')
  const whole = figure.readings.every(reading => !reading.digits.includes('.'))
  return dimension === undefined && whole && counted.some(column => column.whole) ? counted : possible
}

/** A column named a rate or a share may hold parts of one or percent; its values tell. */
function partFactor(unit: Unit, fraction: boolean): number {
  if (unit.dimension !== 'part' || unit.factor !== 1) return unit.factor
  return fraction ? 1 : 0.01
}

/** For figures with more digits than a double holds: whether the cell's own text rounds to them. */
export function exactlyFits(text: string, factor: number, figure: Figure): boolean {
  const reading = figure.readings[0]
  if (reading === undefined || reading.digits.replace('.', '').replace(/^0+/, '').length <= DOUBLE_DIGITS) return true
  const shift = Math.round(Math.log10(factor / reading.multiplier))
  if (Math.abs(10 ** shift - factor / reading.multiplier) > 1e-9 * (factor / reading.multiplier)) return true
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return true
  const decimals = (match[3]?.length ?? 0) - shift
  const cell = BigInt(`${match[2]}${match[3] ?? ''}`)
  const shownDecimals = reading.digits.split('.')[1]?.length ?? 0
  const shown = BigInt(reading.digits.replace('.', ''))
  const scale = Math.max(decimals, shownDecimals, 0)
  const difference = cell * 10n ** BigInt(scale - decimals) - shown * 10n ** BigInt(scale - shownDecimals)
  const half = 10n ** BigInt(scale - shownDecimals)
  return (difference < 0n ? -difference : difference) * 2n <= (scale === shownDecimals ? 0n : half)
}
