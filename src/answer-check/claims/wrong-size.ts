import { memoizePerObject } from '../../base/memoize.ts'
import type { Figure } from '../figures/figure.ts'
import { namedSizes } from '../mentions.ts'
import { type CheckedText, isSaidBefore } from '../parse-text.ts'
import { provenBy } from '../proven-figure.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'

/** Matches numbers that the calendar fixes, such as "three months" for a quarter. */
const OF_CALENDAR =
  /^(?:three|drei|twelve|zwölf)\s(?:months|monate)|^(?:seven|sieben)\s(?:days|tage|weekdays|wochentage)|^(?:four|vier)\s(?:quarters|quartale|weeks|wochen)/iu
const ENDS_BEFORE = /(?<!\p{L})(?:first|top|last|bottom|ersten|letzten|obersten)\s$/iu
const OTHERS_BEFORE = /(?<!\p{L})(?:other|remaining|anderen|übrigen|restlichen|autres|otros|otras)\s$/iu
const OTHERS_BEHIND =
  /^\s(?:\p{L}+\s(?:before|earlier|davor|zuvor)|others?|remaining|anderen|übrigen|restlichen|autres|otros|otras)(?!\p{L})/iu

/** Reports a wrong number of known things: "all six bikes", "these four". */
export function wrongSize({ parsed, grounds }: CheckedText): Problem | undefined {
  const { text, written, sizes: said = [] } = parsed
  const words = written.filter(figure => figure.word === 'count' && provenBy(figure, written, grounds) === undefined)
  if (words.length === 0 || !grounds.isWorked) return undefined
  const most = Math.max(...grounds.results.map(({ rowCount }) => rowCount))
  const { asked, sql } = grounds.given
  const sizes = new Set([
    ...namedSizes(parsed.mentions),
    ...grounds.results.flatMap(sizesOf),
    // The items of a list may be in no row: "all three of the months July, August and September".
    (text.match(/,\s|\s(?:and|und)\s/g) ?? []).length + 1,
    ...said,
    ...asked.map(({ value }) => value),
    ...sql,
  ])
  const wrong = words.find(figure => {
    const value = countIn(figure)
    const [before, behind] = [text.slice(0, figure.start), text.slice(figure.end)]
    if (!isSaidBefore(figure, text) && (figure.unit !== undefined || value <= most || !ENDS_BEFORE.test(before))) return false
    if (value < 2 || sizes.has(value) || OF_CALENDAR.test(text.slice(figure.start))) return false
    const isRest = OTHERS_BEFORE.test(before) || OTHERS_BEHIND.test(behind)
    return !(isRest && [1, ...sizes].some(size => sizes.has(value + size)))
  })
  return (
    wrong && {
      text: wrong.text,
      reason: `${wrong.text} is neither how many rows there are nor how many were named; a working can count them`,
    }
  )
}

/**
 * The numbers that a sentence may state about a result: its rows, its measured columns, the distinct values of each column, and
 * the rows of each name.
 */
const sizesOf = memoizePerObject(({ rowCount, distinct, entities, numbers, times }: ResultIndex): readonly number[] => [
  rowCount,
  numbers.filter(({ key }) => !key).length,
  ...distinct.values(),
  ...new Set([...entities.values()].map(({ rows }) => rows.length)),
  ...[...numbers.filter(({ key }) => key), ...times].map(({ values }) => new Set(values).size),
])

function countIn({ readings }: Figure): number {
  return readings[0]?.value ?? Number.NaN
}
