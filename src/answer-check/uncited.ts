import { atOnce } from '../base/at-once.ts'
import { checkText } from './check-text.ts'
import { isShownRows } from './counts.ts'
import type { Figure } from './figures/figure.ts'
import { canBound } from './figures/period-days.ts'
import { AT_AN_END, CHANGES, PERIOD_BETWEEN, SAYS } from './figures/wording.ts'
import { isGiven, isNow } from './given-figures.ts'
import type { Mention } from './mentions.ts'
import { type Grounds, type Parsed, parseText } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import type { Problem } from './unsupported-figure.ts'

/** A line without a citation may contain names of these kinds, such as weekdays. */
const SAID_FREELY: ReadonlySet<string> = new Set(['weekday', 'range', 'key', 'time'])

/** Matches the words of a claim, such as "peaked" in "Orders peaked on 23 October", or "fell" in "it fell in May". */
const CLAIM = new RegExp(`${AT_AN_END.source}|${CHANGES.source}|(?<!\\p{L})(?:best\\p{L}*|worst)(?!\\p{L})`, 'iu')

/** Reports a claim about the data in a line that cites no query. */
export function statedWithoutCitation(text: string, grounds: Grounds, question: string): Problem | undefined {
  const parsed = parseText(text, grounds)
  const { mentions, written } = parsed
  const open = openFigures(parsed, grounds)
  const bounds = written.filter(({ start }) => mentions.some(mention => mention.start === start && mention.axis === 'range'))
  const asked = question.toLowerCase()
  // A word of a column names no row: "the largest by EUR" for `amount_eur`.
  const isOfColumn = (key: string) => grounds.results.some(({ numbers }) => numbers.some(({ words }) => words.includes(key)))
  const isFree = ({ axis, key }: Mention) => SAID_FREELY.has(axis) || asked.includes(key) || isOfColumn(key)
  const names = mentions.filter(mention => !isFree(mention))
  // A question claims nothing, unless it contains a figure.
  const isQuestion = text.trim().endsWith('?')
  const isOfData = tellsPeriod(text) || isSpan(written, text)
  if (open.length === 0 && (names.length === 0 || isQuestion || SAYS.definition.test(text)))
    return isOfData ? wrongBound(bounds, text, grounds) : undefined
  const isOfPeriod = (figure: Figure) => isDay(figure) && canBound(figure, text, grounds)
  if (names.length === 0 && open.every(isOfPeriod) && isOfData) return wrongBound(bounds, text, grounds)
  const what = open[0]?.text ?? text.slice(names[0]?.start, names[0]?.end)
  return { text: what, reason: `${what} is stated without a citation` }
}

/** Reports the bound of a period if no source contains that bound. */
function wrongBound(bounds: readonly Figure[], text: string, grounds: Grounds): Problem | undefined {
  const wrong = bounds.find(bound => bound.date !== undefined && !canBound(bound, text, grounds))
  return wrong && { text: wrong.text, reason: `${wrong.text} is no day that the period can begin or end with` }
}

/** Whether the text states a period: "That is for 2025", "the ranking goes by rentals since January 2025", "the last 24 hours end at 08:00". */
function tellsPeriod(text: string): boolean {
  return SAYS.period.test(text) || SAYS.definition.test(text) || OF_WHAT.test(text) || LEFT_OUT.test(text)
}

/** Whether the text joins two dates to a period and claims nothing else: "Only tours that were done count, from 1 January to 31 December". */
function isSpan(written: readonly Figure[], text: string): boolean {
  const dates = written.filter(({ date }) => date?.month !== undefined)
  const isJoined = dates.some(({ end }, at) => PERIOD_BETWEEN.test(text.slice(end, dates[at + 1]?.start)))
  return isJoined && !CLAIM.test(text)
}

const OF_WHAT =
  /^[\s"“„(]*(?:(?:that|this|it|these|those|all)\s(?:is|are|was|were)\s(?:for|of|from|about)|(?:das|dies|es)\s(?:gilt|ist|sind|betrifft))(?!\p{L})/iu

/** Matches words that exclude a period, such as "not included" in "October and November 2026 are not included". */
const LEFT_OUT = /(?<!\p{L})(?:not (?:included|covered)|nicht (?:enthalten|dabei|erfasst))(?!\p{L})/iu

/** Checks the figures of a heading or a column's header. A title needs no citation, but some result must support its figures. */
export function checkTitle(text: string, grounds: Grounds): Problem[] {
  const open = openFigures(parseText(text, grounds), grounds)
  if (open.length === 0) return []
  return atOnce(checkText(text, grounds)).problems.filter(problem => open.some(figure => figure.text === problem.text))
}

/** Returns the figures that were not known before the answer. */
function openFigures({ text, figures, written }: Parsed, grounds: Grounds): Figure[] {
  const rowCounts = new Set(grounds.results.map(({ rowCount }) => rowCount))
  return figures.filter(
    figure =>
      /\d/.test(figure.text) &&
      provenBy(figure, written, grounds) === undefined &&
      !isGiven(figure, text, grounds.given) &&
      !isNow(figure.date ?? {}, grounds.given) &&
      !isShownRows(figure, text, rowCounts) &&
      !figure.readings.some(({ value }) => grounds.given.sql.has(value)),
  )
}

/** Whether the figure is a day, a month or a year. */
function isDay({ date, text }: Figure): boolean {
  return date === undefined ? /^(?:19|20)\d\d$/.test(text) : date.month !== undefined || date.year !== undefined
}
