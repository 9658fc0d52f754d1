import type { ResultIndex } from '../rows/result-index.ts'
import { isCurrencyOfFigure } from './currencies.ts'
import type { TextRange } from './figure.ts'
import { parseFigures } from './figures.ts'
import { shownBy } from './fits.ts'
import { writtenUnit } from './units.ts'

/** Matches a number at the end of a text, with the space before its unit. */
const NUMBER_AT_END = /(?<![\d.,])(\d{1,15}(?:[.,]\d{1,15})?)[\s\u00a0\u202f]?$/u

/**
 * Whether a word is the unit of the number beside it, although rows hold it too: "14.9 mmol/L" for a cell of
 * `glucose_mmol_per_l`. Such a word is not the name of a row.
 */
export function isUnitOfFigure(word: TextRange, text: string, results: readonly ResultIndex[]): boolean {
  return isCurrencyOfFigure(word, text, results) || isMeasureOfFigure(word, text, results)
}

/** Whether a column of numbers has the unit in its name, and the number beside it in a cell. */
function isMeasureOfFigure({ start, end }: TextRange, text: string, results: readonly ResultIndex[]): boolean {
  const unit = text.slice(start, end)
  if (!unit.includes('/') && writtenUnit(unit) === undefined) return false
  const number = NUMBER_AT_END.exec(text.slice(0, start))?.[1]
  if (number === undefined) return false
  const [shown = []] = parseFigures(number, [], text).map(shownBy)
  const parts = unit.toLowerCase().split('/')
  return results.some(({ numbers }) =>
    numbers.some(
      ({ words, values }) =>
        parts.every(part => words.includes(part)) &&
        values.some(value => shown.some(({ low, high }) => value >= low && value <= high)),
    ),
  )
}
