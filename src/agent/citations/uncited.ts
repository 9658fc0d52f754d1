import { checkText } from './check-text.ts'
import type { Figure } from './figures.ts'
import { isGiven, isNow, isThisYear } from './given-figures.ts'
import { type Grounds, parseText } from './parse-text.ts'
import { provenBy } from './proven-figure.ts'
import type { Problem } from './unsupported-figure.ts'
import { SAYS } from './wording.ts'

/** Names of these kinds are said without claiming anything of the rows. */
const SAID_FREELY: ReadonlySet<string> = new Set(['weekday', 'range', 'key', 'time'])

/** What a line that cites nothing states of the data all the same. */
export function statedWithoutCitation(text: string, grounds: Grounds, question: string): Problem | undefined {
  const { mentions } = parseText(text, grounds)
  const open = openFigures(text, grounds)
  const asked = question.toLowerCase()
  const names = mentions.filter(mention => !SAID_FREELY.has(mention.axis) && !asked.includes(mention.key))
  // A question that holds no figure claims nothing.
  const isQuestion = text.trim().endsWith('?')
  if (open.length === 0 && (names.length === 0 || isQuestion || SAYS.definition.test(text))) return undefined
  if (names.length === 0 && open.every(figure => isDay(figure) || isInRows(figure, grounds)) && tellsPeriod(text))
    return undefined
  const what = open[0]?.text ?? text.slice(names[0]?.start, names[0]?.end)
  return { text: what, reason: `${what} is stated without a citation` }
}

/** "That is for 2025", "the ranking goes by rentals since January 2025", "the last 24 hours end at 08:00". */
function tellsPeriod(text: string): boolean {
  return SAYS.period.test(text) || SAYS.definition.test(text) || OF_WHAT.test(text)
}

const OF_WHAT =
  /^[\s"“„(]*(?:(?:that|this|it|these|those|all)\s(?:is|are|was|were)\s(?:for|of|from|about)|(?:das|dies|es)\s(?:gilt|ist|sind|betrifft))(?!\p{L})/iu

/** A time of day that stands in the rows. */
function isInRows({ date }: Figure, { results, zones }: Grounds): boolean {
  return (
    date?.clock !== undefined &&
    results.some(({ times }) => times.some(column => zones.some(zone => column.rowsShowing(date, zone, undefined).length > 0)))
  )
}

/** A heading or a column's head cites nothing; a figure in it must follow from some result all the same. */
export function checkTitle(text: string, grounds: Grounds): Problem[] {
  const open = openFigures(text, grounds)
  if (open.length === 0) return []
  return checkText(text, grounds).problems.filter(problem => open.some(figure => figure.text === problem.text))
}

/** The figures that were not given before the answer. */
function openFigures(text: string, grounds: Grounds): Figure[] {
  const { figures, written } = parseText(text, grounds)
  return figures.filter(
    figure =>
      /\d/.test(figure.text) &&
      provenBy(figure, written, grounds) === undefined &&
      !isGiven(figure, text, grounds.given) &&
      !isNow(figure, grounds.given) &&
      !isThisYear(figure, grounds.given),
  )
}

/** A day, a month, a year: what a period is told in. */
function isDay({ date, text }: Figure): boolean {
  return date === undefined ? /^(?:19|20)\d\d$/.test(text) : date.month !== undefined || date.year !== undefined
}
