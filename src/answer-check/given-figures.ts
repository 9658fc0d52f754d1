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
  if (figure.date !== undefined)
    return (
      given.dates.some(date => sameDate(figure.date, date)) ||
      isYearsBegin(figure, text, given) ||
      isHourOfSql(figure.date, given) ||
      (isBound(text, figure) && (isMonthOfSql(figure.date, given) || isLastMonth(figure.date, given))) ||
      (isEnd(text, figure.start) && isLastDay(figure.date, given)) ||
      (AS_OF.test(text.slice(0, figure.start)) && isNow(figure.date, given))
    )
  // "This year is 2026".
  if (/^\d{4}$/.test(figure.text) && Number(figure.text) === given.now?.day.year) return true
  const condition =
    SAYS.condition.test(text.slice(Math.max(0, figure.start - 20), figure.start)) ||
    LIMIT_BEHIND.test(text.slice(figure.end)) ||
    figure.about === 'over' ||
    figure.about === 'under'
  const next = nextWord(text, figure.end)
  const period = figure.unit?.dimension === 'time'
  return figure.readings.some(reading => {
    const asked = given.asked.filter(candidate => candidate.value === reading.value)
    if (
      asked.some(
        candidate =>
          condition || period || (next !== '' && candidate.next === next) || (next === '' && figure.unit !== undefined),
      )
    )
      return true
    // "More than 30 minutes" for `wait_s > 1800`.
    const { dimension, factor } = figure.unit ?? { dimension: undefined, factor: 1 }
    const parts = dimension === 'part' ? [1, 100] : dimension === 'time' ? SECONDS.map(seconds => seconds / factor) : [1]
    return (condition || period) && parts.some(part => given.sql.has(reading.value / part))
  })
}

/** Whether a time is the day or the minute of the question. */
export function isNow({ clock, ...day }: WrittenDate, { now }: GivenFigures): boolean {
  if (now === undefined) return false
  if (clock !== undefined && now.clocks.includes(clock)) return day.day === undefined || sameDate(day, now.day)
  return day.day !== undefined && sameDate(day, now.day)
}

/** Whether an hour is a bound in the SQL: "22:00 to 6:00" for `toHour(at) >= 22 OR toHour(at) < 6`. */
function isHourOfSql({ clock, ...rest }: WrittenDate, { sql, isByHour }: GivenFigures): boolean {
  return isByHour && clock !== undefined && clock % 60 === 0 && Object.keys(rest).length === 0 && sql.has(clock / 60)
}

/** Whether the SQL filters by the month: "From May to September 2026" for `toMonth(day) BETWEEN 5 AND 9`. */
function isMonthOfSql({ day, month, year, clock }: WrittenDate, { sql, months }: GivenFigures): boolean {
  const isAlone = day === undefined && clock === undefined && (year === undefined || sql.has(year))
  return month !== undefined && isAlone && months.has(month)
}

const END_BEFORE = /(?:(?<!\p{L})(?:to|until|till|through|up to|bis(?:\szum)?)\s|\d\.?\s?(?:\p{L}+\s)?[-–]\s?)$/iu

function isEnd(text: string, start: number): boolean {
  return END_BEFORE.test(text.slice(0, start))
}

const BEGIN_BEFORE = /(?<!\p{L})(?:since|from|between|seit|ab|von|vom|zwischen)\s$/iu
const END_BEHIND = /^\s?(?:(?:to|until|till|through|and|bis|und)\s|[–-])/iu

/** Tells whether a figure begins or ends a period: in "from 3 to 9 May", 3 is the beginning. Undefined if neither. */
export function sideOf(text: string, { start, end }: Figure): 'begin' | 'end' | undefined {
  if (isEnd(text, start)) return 'end'
  return BEGIN_BEFORE.test(text.slice(0, start)) || END_BEHIND.test(text.slice(end)) ? 'begin' : undefined
}

function isBound(text: string, figure: Figure): boolean {
  return sideOf(text, figure) !== undefined || /(?<!\p{L})(?:and|und|\p{L}{3,}\s?[-–])\s?$/u.test(text.slice(0, figure.start))
}

/** Whether a day is the last before a bound in the SQL: "13 to 19 November" for `day < '2026-11-20'`. */
function isLastDay({ day, month, year, clock }: WrittenDate, { dates }: GivenFigures): boolean {
  if (month === undefined || day === undefined || clock !== undefined) return false
  return dates.some(date => {
    if (date.year === undefined || date.month === undefined || date.day === undefined || (year ?? date.year) !== date.year)
      return false
    const last = new Date(Date.UTC(date.year, date.month - 1, date.day - 1))
    return last.getUTCDate() === day && last.getUTCMonth() + 1 === month
  })
}

/** Whether a month is the last before a bound in the SQL: "Up to September" for `day < '2025-10-01'`. */
function isLastMonth({ day, month, year, clock }: WrittenDate, { dates }: GivenFigures): boolean {
  if (month === undefined || day !== undefined || clock !== undefined) return false
  const isNext = (date: WrittenDate) => date.day === 1 && date.month === (month % 12) + 1
  return dates.some(date => isNext(date) && (year === undefined || date.year === (month === 12 ? year + 1 : year)))
}

/** Whether a date is the beginning of a year that was asked for: "Since January 2025" for a question about "since 2025". */
function isYearsBegin({ date, start }: Figure, text: string, { asked, sql }: GivenFigures): boolean {
  const isBegin = date?.month === 1 && (date.day ?? 1) === 1 && date.clock === undefined && SINCE.test(text.slice(0, start))
  return isBegin && (asked.some(({ value }) => value === date.year) || sql.has(date.year ?? Number.NaN))
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
