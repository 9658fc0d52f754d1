import type { NumberColumn } from '../rows/result-index.ts'
import type { Figure, Reading } from './figure.ts'
import type { Unit } from './units.ts'

/** The largest relative error of a figure with "about" (`LOOSE`), and with "over" or "under" (`OVER`). */
const LOOSE = 0.15
const OVER = 0.5
/** The largest relative error of a word such as "twice" or "a third", without "about" or "over". */
const WORD_TOLERANCE = 0.04
/** A double holds this many decimal digits. For figures with more digits the text of the cells is compared. */
const DOUBLE_DIGITS = 15

/** An interval that includes both of its ends. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/**
 * Whether the figure can stand for the value, which is in the figure's unit. The written digits set the precision. "About" and
 * "over" allow a larger error.
 */
export function fits(value: number, figure: Figure): boolean {
  return shownBy(figure).some(({ low, high }) => value >= low && value <= high)
}

/** Returns the values that the figure can stand for, in its own unit: one interval for each reading of its digits. */
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

/** Returns how far the true value may lie from the written number. */
function roomOf(reading: Reading, { word, about }: Figure): number {
  const shown = Math.abs(reading.value)
  if (word === 'ratio') return shown * (about === undefined ? WORD_TOLERANCE : about === 'about' ? LOOSE : OVER)
  const exact = reading.step / 2
  if (about === undefined) return exact
  if (about === 'about') return Math.max(exact, Math.min(reading.looseStep / 2, LOOSE * shown))
  return Math.max(exact, Math.min(reading.looseStep, OVER * shown))
}

/** Returns the possible factors from the column's unit to the figure's unit. Empty if the two units measure different things. */
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

/** Returns the columns whose values the figure may show. */
export function comparableColumns(figure: Figure, columns: readonly NumberColumn[]): readonly NumberColumn[] {
  const possible = columns.filter(column => conversions(figure, column).length > 0)
  if (figure.unit !== undefined || figure.readings.some(reading => reading.digits.includes('.'))) return possible
  // A whole number without unit is more likely a count than a share, so columns of shares do not count.
  const counted = possible.filter(column => column.unit?.dimension !== 'part')
  return counted.some(column => column.whole) ? counted : possible
}

/** Returns the unit's factor. For a column of shares it is 1 if the column writes a half as 0.5, and 0.01 if it writes 50. */
function partFactor(unit: Unit, fraction: boolean): number {
  if (unit.dimension !== 'part' || unit.factor !== 1) return unit.factor
  return fraction ? 1 : 0.01
}

/** Compares a cell's text with the figure, if the figure has more digits than a double holds. True for shorter figures. */
export function exactlyFits(text: string, factor: number, figure: Figure): boolean {
  const reading = figure.readings[0]
  if (reading === undefined || reading.digits.replace('.', '').replace(/^0+/, '').length <= DOUBLE_DIGITS) return true
  const shift = Math.log10(factor / reading.multiplier)
  if (Math.abs(shift - Math.round(shift)) > 1e-9 || !/^\d+(?:\.\d+)?$/.test(text)) return true
  const decimals = Math.min(20, reading.digits.split('.')[1]?.length ?? 0)
  const style = { useGrouping: false, minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return new Intl.NumberFormat('en', style).format(`${text}e${Math.round(shift)}` as `${number}`) === reading.digits
}
