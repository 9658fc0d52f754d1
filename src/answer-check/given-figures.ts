import type { Figure } from './figures/figure.ts'
import { parseDates, parseFigures } from './figures/figures.ts'
import { LIMIT_BEHIND, SAYS } from './figures/wording.ts'
import type { WrittenDate } from './figures/written-dates.ts'

/** Figures that were known before the answer: the figures of the question, the data questions, the assumptions and the SQL. */
export interface GivenFigures {
  readonly asked: readonly GivenFigure[]
  readonly sql: ReadonlySet<number>
  readonly dates: readonly WrittenDate[]
  /** The months that the SQL filters by. For a range of months, these are its first and its last month. */
  readonly months: ReadonlySet<number>
  /** Whether the SQL filters by hour. */
  readonly isByHour: boolean
  /** The moment of the question. */
  readonly now: DayAndClocks | undefined
}

/** Matches words that stand before the day of the question, such as "as of". */
const AS_OF = /(?:to|until|till|through|by|as of|today,?|now,?|heute,?|bis(?:\szum)?|stand:?|jusqu’au|hasta el)\s(?:the\s)?$/iu

/** The seconds of the units in which SQL compares times. */
const SECONDS = [0.001, 1, 60, 3600, 86_400, 604_800]

/** The day of a moment, and its time in each zone that the answer may use, in minutes since midnight. */
export interface DayAndClocks {
  readonly day: WrittenDate
  readonly clocks: readonly number[]
}

interface GivenFigure {
  readonly value: number
  readonly next: string
}

/** The figures in a query's SQL. */
export type SqlFigures = Pick<GivenFigures, 'sql' | 'dates' | 'months' | 'isByHour'>

export function sqlFigures(sql: string): SqlFigures {
  // Ignore the digits of a date: the 20 in '2026-11-20' does not mean "20 days".
  const plain = sql.replace(/(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g, ' ')
  const numbers = [...plain.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?:e\d+)?(?![\w.])/gi)].map(match => Number(match[0]))
  return {
    sql: new Set(numbers),
    dates: parseDates(sql.replaceAll("'", ' ')),
    months: new Set([...sql.matchAll(BY_MONTH)].flatMap(([, operator = '', ...numbers]) => monthsPicked(operator, numbers))),
    isByHour: /\btoHour\([^()]*\)\s*(?:[=<>]|between|in)/i.test(sql),
  }
}

export function givenFigures(asked: string, queries: readonly SqlFigures[], now?: DayAndClocks): GivenFigures {
  const figures = parseFigures(asked, [], asked)
  return {
    asked: figures.flatMap(figure =>
      figure.readings.map(reading => ({ value: reading.value, next: nextWord(asked, figure.end) })),
    ),
    sql: new Set(queries.flatMap(({ sql }) => [...sql])),
    now,
    months: new Set(queries.flatMap(({ months }) => [...months])),
    isByHour: queries.some(query => query.isByHour),
    dates: [...figures.flatMap(({ date }) => date ?? []), ...queries.flatMap(({ dates }) => dates)],
  }
}

const BY_MONTH = /\btoMonth\([^()]*\)\s*(=|[<>]=?|between|in)\s*(?:\(\s*)?(\d+)(?:\s+and\s+(\d+)|((?:\s*,\s*\d+)+))?/gi

function monthsPicked(operator: string, [first, last, others = '']: readonly (string | undefined)[]): number[] {
  const month = Number(first)
  if (operator === '<' || operator === '<=') return [1, operator === '<' ? month - 1 : month]
  return [month, ...(last === undefined ? [] : [Number(last)]), ...(others.match(/\d+/g) ?? []).map(Number)]
}

/**
 * Whether a figure repeats a condition of the question or the SQL. The figure must have the condition's number. It must also have
 * the condition's noun, or stand in words such as those of a condition.
 */
export function isGiven(figure: Figure, text: string, given: GivenFigures): boolean {
  if (figure.date !== undefined) return datesFor(figure, text, given).some(date => sameDate(figure.date, date))
  // "This year is 2026".
  if (/^\d{4}$/.test(figure.text) && Number(figure.text) === given.now?.day.year) return true
  const { dimension, factor } = figure.unit ?? { dimension: undefined, factor: 1 }
  const isCondition =
    dimension === 'time' ||
    SAYS.condition.test(text.slice(Math.max(0, figure.start - 20), figure.start)) ||
    LIMIT_BEHIND.test(text.slice(figure.end))
  const next = nextWord(text, figure.end)
  // "More than 30 minutes" for `wait_s > 1800`.
  const parts = dimension === 'part' ? [1, 100] : dimension === 'time' ? SECONDS.map(seconds => seconds / factor) : [1]
  return figure.readings.some(
    ({ value }) =>
      given.asked.some(
        candidate =>
          candidate.value === value && (isCondition || (next === '' ? figure.unit !== undefined : candidate.next === next)),
      ) ||
      (isCondition && parts.some(part => given.sql.has(value / part))),
  )
}

/** Whether a time is the day or the minute of the question. */
export function isNow({ clock, ...day }: WrittenDate, { now }: GivenFigures): boolean {
  if (now === undefined) return false
  const isClock = clock !== undefined && now.clocks.includes(clock)
  return day.day === undefined ? isClock : sameDate(day, now.day)
}

/**
 * Returns the dates that a figure may repeat. For `day < '2025-10-01'` a period may end on 30 September or in September. "Since January
 * 2025" fits a question about "since 2025".
 */
function datesFor(figure: Figure, text: string, given: GivenFigures): WrittenDate[] {
  const { asked, sql, dates, months, isByHour } = given
  const { date = {}, start } = figure
  const before = text.slice(0, start)
  const side = sideOf(text, figure)
  const isBound = side !== undefined || /(?<!\p{L})(?:and|und|\p{L}{3,}\s?[-–])\s?$/u.test(before)
  const isOfYear = date.year !== undefined && (sql.has(date.year) || asked.some(({ value }) => value === date.year))
  return [
    ...dates,
    ...(side === 'end' || (isBound && date.day === undefined) ? dates.map(dayBefore) : []),
    ...(isBound && (date.year === undefined || sql.has(date.year)) ? [...months].map(month => ({ month })) : []),
    ...(isByHour ? [...sql].map(hour => ({ clock: 60 * hour })) : []),
    ...(isOfYear && SINCE.test(before) ? [{ year: date.year, month: 1, day: 1 }] : []),
    ...(AS_OF.test(before) && isNow(date, given) ? [date] : []),
  ]
}

function dayBefore({ year, month = Number.NaN, day = Number.NaN }: WrittenDate): WrittenDate {
  const before = new Date(Date.UTC(year ?? 2000, month - 1, day - 1))
  return { ...(year && { year: before.getUTCFullYear() }), month: before.getUTCMonth() + 1, day: before.getUTCDate() }
}

const END_BEFORE = /(?:(?<!\p{L})(?:to|until|till|through|up to|bis(?:\szum)?)\s|\d\.?\s?(?:\p{L}+\s)?[-–]\s?)$/iu
const BEGIN_BEFORE = /(?<!\p{L})(?:since|from|between|seit|ab|von|vom|zwischen)\s$/iu
const END_BEHIND = /^\s?(?:(?:to|until|till|through|and|bis|und)\s|[–-])/iu

/** Tells whether a figure begins or ends a period: in "from 3 to 9 May", 3 is the beginning. Undefined if neither. */
export function sideOf(text: string, { start, end }: Figure): 'begin' | 'end' | undefined {
  if (END_BEFORE.test(text.slice(0, start))) return 'end'
  return BEGIN_BEFORE.test(text.slice(0, start)) || END_BEHIND.test(text.slice(end)) ? 'begin' : undefined
}

const SINCE = /(?<!\p{L})(?:since|from|seit|ab)\s(?:the beginning of\s|(?:1|1st)\s)?$/iu

function sameDate(shown: WrittenDate = {}, known: WrittenDate | undefined): boolean {
  if (known === undefined) return false
  return (['year', 'month', 'day', 'clock'] as const).every(
    part => shown[part] === undefined || shown[part] === known[part] || (part === 'year' && known.year === undefined),
  )
}

function nextWord(text: string, end: number): string {
  const word = /^[\s-]*([\p{L}]+)/u.exec(text.slice(end))?.[1] ?? ''
  return word.toLowerCase().replace(/(?:es|s|en|e|n)$/, '')
}
