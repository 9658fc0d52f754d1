import type { Figure } from './figures/figure.ts'
import { parseFigures } from './figures/figures.ts'
import type { FigureInText } from './known-figures.ts'
import { namedSizes } from './mentions.ts'
import type { Grounds, Parsed } from './parse-text.ts'
import type { ResultIndex } from './rows/result-index.ts'

/** Matches the words around a number of first rows: "the top 3", "the 15 largest". */
const FIRST =
  /(?<!\p{L})(?:the|die|den|der)\s(?:(?:first|top|ersten|obersten|\p{L}+(?:est|[sß]ten))\s#|#\s\p{L}+(?:est|[sß]ten)(?!\p{L}))/iu
const OF_TIME = /^\S+\s(?:hour|day|week|month|year|stunde|tag|woche|monat|jahr)\p{Ll}{0,2}(?!\p{L})/iu

const OF_RESULT =
  /(?<!\p{L})(?:query|result|list(?:ed)?|rows|table|shown|abfrage|ergebnis\p{L}*|liste|zeilen|tabelle|gezeigt)(?!\p{L})/iu

/** Whether the figure tells how many rows a result, list or table has: "The table shows 10 of the 14 machines". */
export function isShownRows({ readings, unit, date }: Figure, text: string, sizes: ReadonlySet<number>): boolean {
  return unit === undefined && date === undefined && OF_RESULT.test(text) && sizes.has(readings[0]?.value ?? Number.NaN)
}

/** Whether a figure without a working is a number of rows or names, and the wording allows such a number. */
export function isCounted(
  { figure, text, before, mentions, sizes = new Set() }: FigureInText & Pick<Parsed, 'mentions' | 'sizes'>,
  { results, isWorked, proven }: Grounds,
): boolean {
  const value = figure.readings[0]?.value ?? Number.NaN
  const { unit, word, end } = figure
  if ((unit?.dimension ?? 'time') === 'time' && results.some(result => isSizeOf(result, figure, isWorked))) return true
  // "These are the first 5 of the 12 listed", "the top three are level".
  const isCount = unit === undefined || OF_TIME.test(text.slice(figure.start))
  if (isCount && FIRST.test(`${before}#${text.slice(end)}`)) return results.some(({ rowCount }) => value <= rowCount)
  if (isShownRows(figure, text, sizes)) return true
  // In "In two of the five: Oslo by 5 and Bern by 3", "two" is the number of the names and of the proven figures.
  const said = [...namedSizes(mentions.filter(({ axis }) => axis !== 'range')), proven.size]
  if (word === 'count' && said.includes(value)) return true
  // "Two names occur twice: Oslo (12 and 14) and Bern (3 and 9)".
  const colon = text.indexOf(': ', end)
  return colon >= 0 && namedSizes(mentions.filter(({ start }) => start > colon)).includes(value)
}

/** Whether a figure is the number of a result's rows: as a word in an answer without workings, or as the number before the cut. */
function isSizeOf({ rowCount, total, truncated }: ResultIndex, { readings, word }: Figure, isWorked: boolean): boolean {
  const value = readings[0]?.value
  return truncated ? total > rowCount && value === total : word === 'count' && !isWorked && value === rowCount
}

/** Returns the number of first rows that an intro announces: 10 for "The first 10 of the 56 vehicles:". Undefined if it announces none. */
export function firstRowsOf(intro: string): number | undefined {
  if (!intro.trimEnd().endsWith(':')) return undefined
  const figure = parseFigures(intro, [], intro).find(
    ({ start, end, unit }) => unit === undefined && FIRST.test(`${intro.slice(0, start)}#${intro.slice(end)}`),
  )
  return figure?.readings[0]?.value
}
