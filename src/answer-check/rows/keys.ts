import type { Figure } from '../figures/figure.ts'
import { WEEKDAYS } from '../figures/number-words.ts'
import { PERIOD_BETWEEN, PERIOD_JOINT } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import { textBefore } from '../text-before.ts'
import { hourRows, keyRows, quarterRows, rowsWhere, seriesRows, timeRows, where } from './key-rows.ts'
import type { ResultIndex } from './result-index.ts'

/** Matches the words before a date that bounds a period, such as "since" in "since July". A date that bounds a period names no row. */
const RANGE_END =
  /(?:since|seit|until|till|bis|through|up to|before|after|vor|(?:from|between|vom|von|zwischen)\s(?:\p{L}+\s)?\d{1,2}\.?(?:\s\p{L}+)?\s(?:to|and|bis|bis zum|und|–|-))\s$/iu
/** Matches the "on" of "from 06:00 on", which makes the time the beginning of a period. */
const ONWARD = /^\s(?:on|onwards?|upwards|an)(?!\p{L})/iu
const RANGE_START = /(?:from|between|vom|zwischen)\s$/iu

/** Finds the days, months, weekdays, epochs, codes and relative times that name rows. Their digits are part of a name and are not checked. */
export function findKeys(
  text: string,
  figures: readonly Figure[],
  results: readonly ResultIndex[],
  zones: readonly string[],
): Mention[] {
  const mentions: Mention[] = []
  const before = (place: number) => textBefore(text, place)
  const dated = figures.filter(figure => figure.date !== undefined)
  const periods = new Set(
    dated.flatMap((figure, at) => {
      const next = dated[at + 1]
      return next && PERIOD_BETWEEN.test(text.slice(figure.end, next.start)) ? [figure.start, next.start] : []
    }),
  )
  const add = (start: number, end: number, key: string, axis: string, rows: ReadonlyMap<string, readonly number[]>) => {
    const last = mentions.at(-1)
    const bound =
      // In "From Monday to Thursday" neither day names a row.
      (last?.axis === 'range' && PERIOD_JOINT.test(text.slice(last.end, start))) ||
      periods.has(start) ||
      RANGE_END.test(before(start)) ||
      (RANGE_START.test(before(start)) && /^\s(?:to|and|bis|und|–|-)\s/.test(text.slice(end))) ||
      (/(?:from|von)\s$/iu.test(before(start)) && ONWARD.test(text.slice(end))) ||
      /(?<!\p{L})ab\s$/iu.test(before(start))
    if (rows.size > 0 && bound) mentions.push({ start, end, key, axis: 'range', rows: new Map(), bounds: rows })
    else if (rows.size > 0) mentions.push({ start, end, key, axis, rows })
  }
  /** The start offsets of the figures that are keys. */
  const keys = new Set<number>()
  const addRows = ({ start, end, text: key }: Figure, axis: string, find: (result: ResultIndex) => number[]) =>
    add(start, end, key, axis, rowsWhere(results, find))
  for (const [at, figure] of figures.entries()) {
    const { date, sign, ordinal, unit, word } = figure
    if (date?.clock !== undefined)
      addRows(figure, 'time', result => [...seriesRows(result, figure, zones), ...hourRows(result, figure)])
    else if (date?.month !== undefined) addRows(figure, 'time', result => timeRows(result, date))
    const quarter = /(?<![\p{L}\p{N}])Q([1-4])[\s/-]$/u.exec(before(figure.start))?.[1]
    if (quarter !== undefined && unit === undefined)
      addRows(figure, 'time', result => quarterRows(result, Number(quarter), figure))
    const value = (sign === -1 ? -1 : 1) * (figure.readings[0]?.value ?? Number.NaN)
    if (ordinal && value <= 31) addRows(figure, 'time', result => timeRows(result, { day: value }))
    if (word !== undefined || unit?.dimension === 'part' || !Number.isInteger(value) || sign === 1) continue
    const previous = figures[at - 1]
    const isListed = previous !== undefined && keys.has(previous.start) && isInList(previous, figure, text)
    add(figure.start, figure.end, figure.text, 'key', keyRows(text, figure, value, results, isListed))
    if (mentions.at(-1)?.axis === 'key' && mentions.at(-1)?.start === figure.start) keys.add(figure.start)
  }
  addWeekdays(text, results, add)
  return mentions
}

type Add = (start: number, end: number, key: string, axis: string, rows: ReadonlyMap<string, readonly number[]>) => void

function addWeekdays(text: string, results: readonly ResultIndex[], add: Add): void {
  for (const match of text.matchAll(/(?<!\p{L})(\p{L}+?)s?(?!\p{L})/gu)) {
    const weekday = WEEKDAYS.get((match[1] ?? '').toLowerCase())
    if (weekday === undefined) continue
    const rows = rowsWhere(results, result => numberedWeekdays(result, weekday))
    add(match.index, match.index + match[0].length, match[0].toLowerCase(), 'time', rows)
  }
}

/**
 * Returns the rows of a weekday in a column of weekday numbers. The numbers run from Monday 1 to Sunday 7, as in `toDayOfWeek`,
 * or from Sunday 0 to Saturday 6.
 */
function numberedWeekdays(result: ResultIndex, weekday: number): number[] {
  return result.numbers
    .filter(column => column.key && /^(?:weekday|dow|day_of_week)$/.test(column.words.join('_')))
    .flatMap(column => where(column.values, value => value % 7 === weekday))
}

/** Whether a figure follows a key in a list, such as the 66 of "790, 66". Then the figure is a key too, although it is small. */
function isInList(key: Figure, figure: Figure, text: string): boolean {
  return key.end <= figure.start && /^,?\s(?:(?:and|or|und|oder)\s)?$/u.test(text.slice(key.end, figure.start))
}
