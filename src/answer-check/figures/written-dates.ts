import { MONTHS } from './number-words.ts'

/** Matches any word that may be the name of a month. A pattern of all names takes 20 ms to compile, so `dateOf` looks the word up. */
const NAME = '(?<name>\\p{L}+)(?!\\p{L})'
/** Matches a year within the range of ClickHouse's dates. Any other number after a month is a count: "in October 2656 minutes". */
const YEAR = '(?<year>(?:19|2[0-2])\\d\\d)'
const DAY = '(?<day>0?[1-9]|[12]\\d|3[01])'
/** Days without the name of a month. */
const NUMBERED: readonly RegExp[] = [
  /(?<![\d-])(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2}))?(?:[T ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2}))?)?(?![\d-])/gu,
  /(?<![\d.])(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?!\d)/gu,
  // A day without a year: "Am 22.11.", "22.11. bis", a cell "22.11." A decimal number at the end of a sentence does not match.
  /(?<![\d.,])(?:(?<=(?<!\p{L})(?:am|vom|zum|bis|ab|seit|de[rnms])\s)|(?=[\d.]+\s?[\p{Ll},;:)–-])|(?=[\d.]+\s*$)(?<=^\s*))(?<day>0?[1-9]|[12]\d|3[01])\.(?<month>0?[1-9]|1[0-2])\.(?!\d)/giu,
  // A table cell that is a day and a month: "13/11".
  /^\s*(?<day>\d{1,2})\/(?<month>0?[1-9]|1[0-2])\.?\s*$/gu,
]
const NAMED: readonly RegExp[] = [
  // The 6 and the 13 in "6, 13 and 15 November".
  `(?<![\\p{L}\\d.,:])${DAY}\\.?(?=(?:,\\s\\d{1,2}\\.?){0,30},?\\s(?:and|und|or|oder)\\s\\d{1,2}(?:\\.|st|nd|rd|th)?\\s${NAME})`,
  // The 12 in "12 and 13 November".
  `(?<![\\p{L}\\d.,:])${DAY}(?=(?:\\.|st|nd|rd|th)?(?:\\s(?:and|to|or|until|through|und|bis(?:\\szum)?|oder|et|ou|y|o|e|a|al|à|au|até|t/m|til|till|do|–|-)\\s|[–-])(?:(?:le|el|il|the|den)\\s)?(?:\\p{L}{4,},?\\s(?:(?:the|den|le|el|il)\\s)?)?\\d{1,2}(?:\\.|st|nd|rd|th)?\\s(?:(?:of|de|di)\\s)?${NAME})`,
  `(?<![\\p{L}\\d])${DAY}(?:\\.|st|nd|rd|th)?\\s(?:(?:of|de|di)\\s)?${NAME}\\.?(?:,?\\s(?:de\\s)?${YEAR}(?!\\d))?`,
  // In "October 7 h" and "October 7 EUR" the 7 is an amount.
  `(?<![\\p{L}\\d])${NAME}\\.?\\s${DAY}(?:st|nd|rd|th)?(?![\\d.:,]\\d|\\d|\\s?(?:%|(?:h|min|m?s|d|k?m|k?g|t|l|[kMG]?Wh?|EUR|USD|CHF|GBP)(?!\\p{L})))(?:,?\\s${YEAR}(?!\\d))?`,
].map(source => new RegExp(source, 'giu'))
/** Matches a month, and a year behind it. The number in "June 3392.80 USD" is no year. */
const MONTH_ALONE = new RegExp(`(?<![\\p{L}\\d])${NAME}(?:\\s(?:del?\\s)?${YEAR}(?![.,]?\\d))?(?![\\p{L}\\d])`, 'giu')
const CLOCKS: readonly RegExp[] = [
  /(?<![\d:.])(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?(?!\d|:\d)(?:\s?(?<half>[ap])\.?m\.?)?/giu,
  // A German time of day with a dot: "10.30 Uhr", and both times of "10.30 bis 12.00 Uhr".
  /(?<![\d:.,])(?<hour>[01]?\d|2[0-4])\.(?<minute>[0-5]\d)(?=\s(?:(?:bis|und|–|-)\s\d{1,2}\.\d{2}\s)?Uhr(?!\p{L}))/giu,
  // An hour without minutes: "5 Uhr", "3 pm".
  /(?<![\d:.,])(?<hour>\d{1,2})\s?(?:Uhr|(?<half>[ap])\.?m\.?)(?!\p{L})/giu,
  // The 22 in "22 bis 6 Uhr", and the 13 in "um 13 und um 14 Uhr".
  /(?<![\d:.,])(?<hour>\d{1,2})(?=\s?(?:bis|–|-|(?<=(?<!\p{L})(?:um|ab|von|zwischen)\s\d{1,2}\s)(?:und|oder))\s?(?:um\s)?\d{1,2}\sUhr(?!\p{L}))/giu,
]

/** Whether a text contains any of the words. This test is faster than a pattern of many words, and most texts contain none. */
export function mayHaveWord(text: string, words: { has(word: string): boolean }): boolean {
  // Lower-casing does not change the letter ſ, but a case-insensitive pattern matches it as an s.
  if (text.includes('ſ')) return true
  for (const word of text.match(/\p{L}+/gu) ?? []) if (words.has(word.toLowerCase())) return true
  return false
}

export interface WrittenDate {
  readonly year?: number
  readonly month?: number
  readonly day?: number
  /** The time of day, in minutes since midnight. */
  readonly clock?: number
  readonly seconds?: number
}

type AddDate = (start: number, end: number, rest: { readonly date: WrittenDate }) => void

/** Finds days, months and times of day in a text. */
export function findDates(text: string, add: AddDate): void {
  const found = (patterns: readonly RegExp[]) => patterns.flatMap(pattern => [...text.matchAll(pattern)])
  const clocks = found(CLOCKS)
  const months = mayHaveWord(text, MONTHS) ? [...found(NAMED), ...found([MONTH_ALONE]).filter(match => isMonth(match, text))] : []
  for (const match of [...found(NUMBERED), ...months]) {
    const date = dateOf(match.groups)
    const end = match.index + match[0].length
    const clock =
      date?.clock === undefined ? clocks.find(next => /^(?:,| at| um| -)? $/.test(text.slice(end, next.index))) : undefined
    if (date !== undefined)
      add(match.index, clock ? clock.index + clock[0].length : end, { date: { ...date, ...(clock && dateOf(clock.groups)) } })
  }
  for (const match of clocks) add(match.index, match.index + match[0].length, { date: dateOf(match.groups) ?? {} })
}

/** Whether a lone word means a month. Spanish and French do not capitalize months, so a year behind it must show that. */
function isMonth({ 0: written, groups, index }: RegExpExecArray, text: string): boolean {
  if (!/^\p{Lu}/u.test(written) && groups?.year === undefined) return false
  const isVerb = written === 'May' && /^\s(?:\p{Lu}|(?:i|we|you|it|they|this|that|the)\s)/u.test(text.slice(index + 3))
  return !(isVerb || written === 'Mar') || /(?:in|of|since|for|to|from)\s$/i.test(text.slice(0, index))
}

/** Reads the parts of a date. Undefined if its name is that of no month. */
function dateOf(groups: Readonly<Record<string, string | undefined>> = {}): WrittenDate | undefined {
  const { name, year, day, hour, minute = '0', second, half } = groups
  const month = name === undefined ? groups.month : MONTHS.get(name.toLowerCase())
  if (name !== undefined && month === undefined) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  return {
    ...(year && { year: Number(year) }),
    ...(month && { month: Number(month) }),
    ...(day && { day: Number(day) }),
    ...(hour && { clock: hours * 60 + Number(minute) }),
    ...(second && { seconds: Number(second) }),
  }
}
