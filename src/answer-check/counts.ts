import type { Figure } from './figures/figure.ts'
import { parseFigures } from './figures/figures.ts'
import { namedSizes } from './mentions.ts'
import type { Parsed } from './parse-text.ts'
import type { ResultIndex } from './rows/result-index.ts'

/** Whether a figure is the number of a result's rows: as a word in an answer without workings, or as the number before the cut. */
export function isAllRows({ readings, unit, word }: Figure, results: readonly ResultIndex[], isWorked: boolean): boolean {
  const value = readings[0]?.value
  const isSize = ({ rowCount, total, truncated }: ResultIndex) =>
    truncated ? total > rowCount && value === total : word === 'count' && !isWorked && value === rowCount
  return (unit?.dimension ?? 'time') === 'time' && results.some(isSize)
}

/**
 * Whether a number word is the count of the names, or of the proven figures, in its sentence. In "In two of the five: Oslo by 5
 * and Bern by 3", "two" is the count of Oslo and Bern.
 * @param proven how many figures of the sentence are proven by workings
 */
export function isCountOfSaid(value: number, { mentions }: Pick<Parsed, 'mentions'>, proven: number): boolean {
  const named = namedSizes(mentions.filter(({ axis }) => axis !== 'range'))
  return value > 1 && [...named, proven].includes(value)
}

/** Whether a number counts the names that are listed behind its colon: "Two names occur twice: Oslo (12 and 14) and Bern (3 and 9)". */
export function isCountOfListed({ end, readings, unit }: Figure, { text, mentions }: Pick<Parsed, 'text' | 'mentions'>): boolean {
  const colon = text.indexOf(': ', end)
  const counts = namedSizes(mentions.filter(({ start }) => start > colon))
  return colon >= 0 && unit === undefined && counts.some(count => count > 1 && count === readings[0]?.value)
}

const OF_RESULT =
  /(?<!\p{L})(?:query|result|list(?:ed)?|rows|table|shown|abfrage|ergebnis\p{L}*|liste|zeilen|tabelle|gezeigt)(?!\p{L})/iu

/** Whether the figure tells how many rows a result, list or table has: "The table shows 10 of the 14 machines". */
export function isShownRows({ readings, unit, date }: Figure, text: string, sizes: ReadonlySet<number>): boolean {
  return unit === undefined && date === undefined && OF_RESULT.test(text) && sizes.has(readings[0]?.value ?? Number.NaN)
}

const FIRST = /(?<!\p{L})(?:the|die|den)\s(?:first|top|ersten|obersten|\p{L}+(?:est|sten))\s$/iu
/** Matches the words around the number in "the 15 largest refunds". */
const ARTICLE = /(?<!\p{L})(?:the|die|den|der)\s$/iu
const BEST_BEHIND = /^\s\p{L}+(?:est|sten)(?!\p{L})/u
const OF_TIME = /^\S+\s(?:hour|day|week|month|year|stunde|tag|woche|monat|jahr)\p{Ll}{0,2}(?!\p{L})/iu

/** Whether the figure says how many of the first rows are meant: "These are the first 5 of the 12 listed", "the top three are level". */
export function isFirstRows(
  { figure, text, before }: { readonly figure: Figure; readonly text: string; readonly before: string },
  results: readonly ResultIndex[],
): boolean {
  const value = figure.readings[0]?.value ?? Number.NaN
  const isOfTime = OF_TIME.test(text.slice(figure.start))
  const isOfBest = ARTICLE.test(before) && BEST_BEHIND.test(text.slice(figure.end))
  if ((figure.unit !== undefined && !isOfTime) || !(FIRST.test(before) || isOfBest)) return false
  return results.some(({ rowCount }) => value <= rowCount)
}

/** Returns the number of first rows that an intro announces: 10 for "The first 10 of the 56 vehicles:". Undefined if it announces none. */
export function firstRowsOf(intro: string): number | undefined {
  if (!intro.trimEnd().endsWith(':')) return undefined
  const figure = parseFigures(intro, [], intro).find(({ start, unit }) => unit === undefined && FIRST.test(intro.slice(0, start)))
  return figure?.readings[0]?.value
}
