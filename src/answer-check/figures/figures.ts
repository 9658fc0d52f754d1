import type { Figure, Reading, TextRange } from './figure.ts'
import { NUMBER_WORDS, RATIO_WORDS } from './number-words.ts'
import { writtenUnit } from './units.ts'
import { BEFORE, COMPARED_WITH } from './wording.ts'
import { findDates, mayHaveWord, type WrittenDate } from './written-dates.ts'
import { multiplierAfter, readWrittenNumber, unitAfter } from './written-numbers.ts'

const NUMBER =
  /(?<![\p{L}\p{N}_.])([+\-−–±]\s?)?([$€£]\s?)?(\d{1,3}(?:[,.'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)(e[+-]?\d{1,3})?(?![\d_]|[.,]\d)/giu
/** Matches words in front of a duration. In "Over the nine months", "over" does not mean more than nine. */
const OVER_SPAN = /(?<!\p{L})(?:over|within|über)\s(?:the|die)\s$/iu
/** Matches "1½" and "⅔". */
const FRACTION = /(?<![\d.,])(\d{1,4}\s?)?([¼-¾⅐-⅞])/gu
const DURATION_PART =
  '\\d+(?:[.,]\\d+)?\\s?(?:days?|d|Tage?|hours?|hrs?|h|Stunden?|minutes?|mins?|min|m|Minuten?|seconds?|secs?|s|Sekunden?)'
const DURATION = new RegExp(
  `(?<![\\p{L}\\d.,])${DURATION_PART}(?:(?:\\s|,\\s|\\sand\\s|\\sund\\s)?${DURATION_PART})+(?!\\p{L})`,
  'gu',
)
const WORD_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[...RATIO_WORDS.keys(), ...NUMBER_WORDS.keys()].sort((one, other) => other.length - one.length).join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
)

/** The first words of phrases such as "two thirds" and "twice". A text without them has no number words. */
const NUMBER_BEGINNINGS = new Set([...RATIO_WORDS.keys(), ...NUMBER_WORDS.keys()].map(words => words.split(' ')[0] ?? ''))

/** Replaces "2024/25" with "2024", padded with spaces so that offsets do not change. */
function withoutSecondYears(text: string): string {
  return text.replace(/(?<![\d/])((?:19|20)(\d\d))\/(\d\d)(?![\d/])/g, (whole, year: string, first: string, second: string) =>
    Number(second) === (Number(first) + 1) % 100 ? `${year}   ` : whole,
  )
}

/**
 * Returns all figures of a text in order.
 * @param taken spans without figures, such as names and code
 * @param language a text in the answer's language, which decides the decimal mark
 */
export function parseFigures(written: string, taken: readonly TextRange[], language: string): Figure[] {
  const text = withoutSecondYears(withPlainDigits(written))
  const figures: Figure[] = []
  const spans = [...taken]
  const add = (start: number, end: number, rest: Partial<Figure>) => {
    if (isTaken(spans, start, end)) return
    spans.push({ start, end })
    const before = text.slice(Math.max(0, start - 24), start)
    const isSpan = (rest.word === 'count' || rest.unit?.dimension === 'time') && OVER_SPAN.test(before)
    const about =
      isSpan || COMPARED_WITH.test(before)
        ? undefined
        : (['about', 'over', 'under'] as const).find(kind => BEFORE[kind].test(before))
    figures.push({
      start,
      end,
      text: text.slice(start, end),
      readings: [],
      sign: 0,
      ordinal: false,
      ...(about && { about }),
      ...rest,
    })
  }
  findDates(text, add)
  const place = (match: RegExpExecArray, found: Partial<Figure> | undefined, length = match[0].length) =>
    found && add(match.index, match.index + length, found)
  for (const match of text.matchAll(DURATION)) place(match, duration(match[0]))
  for (const match of text.matchAll(FRACTION)) place(match, fraction(match))
  for (const match of numbersIn(text, spans)) {
    const found = readWrittenNumber(text, match, language)
    if (found === undefined) continue
    // A unit that is also a name in the results ("95,450 CHF") counts as a name. The number then has no unit.
    const end = match.index + match[0].trimEnd().length
    const isName = taken.some(span => span.start >= end && span.start < found.end)
    const { unit: _, ...bare } = found
    add(found.start, isName ? end : found.end, isName ? { ...bare, end } : found)
  }
  for (const match of mayHaveWord(text, NUMBER_BEGINNINGS) ? text.matchAll(WORD_NUMBER) : []) {
    const word = match[0].toLowerCase()
    const after = text.slice(match.index + word.length)
    // NULL in capitals is SQL's NULL, not the German number word for zero.
    if ((word === 'one' && !/^ (?:of|\p{Ll})/u.test(after)) || match[0] === 'NULL') continue
    const ratio = RATIO_WORDS.get(word)
    const value = ratio ?? NUMBER_WORDS.get(word) ?? 0
    const { multiplier, length } = multiplierAfter(after)
    // "Two and a half hours" has a unit, and "a third of the hours" has none.
    const unit = ratio === undefined || /\sand\s/.test(word) ? unitAfter(after)?.unit : undefined
    const kind = ratio === undefined ? 'count' : 'ratio'
    if (ratio === undefined && length > 3)
      place(match, { readings: [readingOf(value, multiplier, multiplier)] }, word.length + length)
    else place(match, { readings: [readingOf(value, ratio === undefined ? 1 : 0)], word: kind, ...(unit && { unit }) })
  }
  return figures.sort((one, other) => one.start - other.start)
}

/** Finds numbers. Digits inside a name are skipped, so that "SPRING-26 224" contains only the 224. */
function numbersIn(text: string, names: readonly TextRange[]): RegExpExecArray[] {
  const plain = names.reduce(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replace(/\d/g, '_') + rest.slice(end),
    text,
  )
  return [...plain.matchAll(NUMBER)]
}

/** Finds dates, months and times of day only. */
export function parseDates(written: string): WrittenDate[] {
  const spans: TextRange[] = []
  const dates: WrittenDate[] = []
  findDates(withPlainDigits(written), (start, end, { date }) => {
    if (isTaken(spans, start, end)) return
    spans.push({ start, end })
    dates.push(date)
  })
  return dates
}

function isTaken(spans: readonly TextRange[], start: number, end: number): boolean {
  return spans.some(span => start < span.end && end > span.start)
}

/**
 * Replaces the digits of other scripts by ASCII digits. Offsets stay the same. A raised digit behind a letter or digit stays,
 * because it belongs to a unit or a power ("m²", "10⁶").
 */
function withPlainDigits(text: string): string {
  if (!/(?![0-9])\p{N}/u.test(text)) return text
  return text
    .replace(/\p{Nd}+/gu, run => [...run].map(digitOf).join('').padEnd(run.length))
    .replace(/(?<![\p{L}\p{N}])\p{No}+/gu, run => {
      const plain = run.normalize('NFKC')
      return plain.length === run.length && /^\d+$/.test(plain) ? plain : run
    })
}

/**
 * Returns the ASCII digit for a digit of any script. In Unicode, the digits of a script are consecutive, so counting back to the
 * script's zero gives the value.
 */
function digitOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return String(before % 10)
}

function fraction([, whole, sign = '']: RegExpExecArray): Partial<Figure> {
  const [part = 0, of = 1] = sign.normalize('NFKC').split('\u2044').map(Number)
  const value = Number(whole ?? 0) + part / of
  if (whole === undefined) return { readings: [readingOf(value, 0)], word: 'ratio' }
  return { readings: [{ ...readingOf(value, 0.01), digits: value.toFixed(2) }] }
}

/**
 * Reads a duration. In "1 h 30 min" the units get smaller, and only the last number may have a fraction. "22.59 days, 0.79 days"
 * are two durations.
 */
function duration(text: string): Partial<Figure> | undefined {
  const parts = [...text.matchAll(/(?<!\d)(\d+(?:[.,]\d+)?)\s?([\p{L}]+)/gu)].map(([, amount = '', word = '']) => ({
    amount: Number(amount.replace(',', '.')),
    factor: word === 'm' ? 60 : (writtenUnit(word)?.factor ?? 1),
  }))
  const value = parts.reduce((sum, { amount, factor }) => sum + amount * factor, 0)
  const isOne = parts.every(
    ({ amount, factor }, at) => at === parts.length - 1 || (Number.isInteger(amount) && factor > (parts[at + 1]?.factor ?? 0)),
  )
  return isOne ? { readings: [readingOf(value, parts.at(-1)?.factor)], unit: { dimension: 'time', factor: 1 } } : undefined
}

function readingOf(value: number, step = 1, multiplier = 1): Reading {
  return { value: value * multiplier, digits: String(value), step, looseStep: step, multiplier }
}
