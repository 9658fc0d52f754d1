import { MONTHS } from './number-words.ts'

/** Matches any word that may be the name of a month. A pattern of all names takes 20 ms to compile, so `findDates` looks the word up. */
const MONTH = '(?<month>\\p{L}+)(?!\\p{L})'
/** Matches a year within the range of ClickHouse's dates. Any other number after a month is a count: "in October 2656 minutes". */
const YEAR = '(?<year>(?:19|2[0-2])\\d\\d)'
const ISO = /(?<![\d-])(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?(?![\d-])/gu
const DAY_MONTH = new RegExp(
  `(?<![\\p{L}\\d])(?<day>\\d{1,2})(?:\\.|st|nd|rd|th)?\\s(?:(?:of|de|di)\\s)?${MONTH}\\.?(?:,?\\s(?:de\\s)?${YEAR}(?!\\d))?`,
  'giu',
)
/** Matches the 6 and the 13 in "6, 13 and 15 November". */
const DAYS_OF_LIST = new RegExp(
  `(?<![\\p{L}\\d.,:])(?<day>\\d{1,2})\\.?(?=(?:,\\s\\d{1,2}\\.?){0,30},?\\s(?:and|und|or|oder)\\s\\d{1,2}(?:\\.|st|nd|rd|th)?\\s${MONTH})`,
  'giu',
)
/** Matches the 12 in "12 and 13 November". */
const DAY_OF_LIST = new RegExp(
  `(?<![\\p{L}\\d.,:])(?<day>\\d{1,2})(?=(?:\\.|st|nd|rd|th)?(?:\\s(?:and|to|or|until|through|und|bis(?:\\szum)?|oder|et|ou|y|o|e|a|al|à|au|até|t/m|til|till|do|–|-)\\s|[–-])(?:(?:le|el|il|the|den)\\s)?(?:\\p{L}{4,},?\\s(?:(?:the|den|le|el|il)\\s)?)?\\d{1,2}(?:\\.|st|nd|rd|th)?\\s(?:(?:of|de|di)\\s)?${MONTH})`,
  'giu',
)
/** Matches a table cell that is a day and a month: "13/11". */
const SHORT = /^\s*(\d{1,2})[/.](\d{1,2})\.?\s*$/gu
/** In "October 7 h" and "October 7 EUR" the 7 is an amount. */
const MONTH_DAY = new RegExp(
  `(?<![\\p{L}\\d])${MONTH}\\.?\\s(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d.:,]\\d|\\d|\\s?(?:%|(?:h|min|m?s|d|k?m|k?g|t|l|[kMG]?Wh?|EUR|USD|CHF|GBP)(?!\\p{L})))(?:,?\\s${YEAR}(?!\\d))?`,
  'giu',
)
/** Matches a month, and a year behind it. The number in "June 3392.80 USD" is no year. */
const MONTH_ALONE = new RegExp(`(?<![\\p{L}\\d])${MONTH}(?:\\s(?:del?\\s)?${YEAR}(?![.,]?\\d))?(?![\\p{L}\\d])`, 'giu')
const DOTTED = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/gu
/** Matches a day without a year: "Am 22.11.", "22.11. bis", a cell "22.11." A decimal number at the end of a sentence does not match. */
const DOTTED_DAY =
  /(?<![\d.,])(?:(?<=(?<!\p{L})(?:am|vom|zum|bis|ab|seit|de[rnms])\s)|(?=[\d.]+\s?[\p{Ll},;:)–-])|(?=[\d.]+\s*$)(?<=^\s*))(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(?!\d)/giu
/** Matches a German time of day with a dot: "10.30 Uhr", and both times of "10.30 bis 12.00 Uhr". */
const DOTTED_CLOCK = /(?<![\d:.,])([01]?\d|2[0-4])\.([0-5]\d)(?=\s(?:(?:bis|und|–|-)\s\d{1,2}\.\d{2}\s)?Uhr(?!\p{L}))/giu
/** Matches the 22 in "22 bis 6 Uhr", and the 13 in "um 13 und um 14 Uhr". */
const HOUR_OF_SPAN =
  /(?<![\d:.,])(\d{1,2})(?=\s?(?:bis|–|-|(?<=(?<!\p{L})(?:um|ab|von|zwischen)\s\d{1,2}\s)(?:und|oder))\s?(?:um\s)?\d{1,2}\sUhr(?!\p{L}))/giu
/** Matches an hour without minutes: "5 Uhr", "3 pm". */
const HOUR = /(?<![\d:.,])(\d{1,2})\s?(?:(Uhr)|([ap])\.?m\.?)(?!\p{L})/giu
const CLOCK = /(?<![\d:.])(\d{1,2}):(\d{2})(?::(\d{2}))?(?!\d|:\d)(?:\s?([ap])\.?m\.?)?/giu

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
  const clocks = [
    ...text.matchAll(CLOCK),
    ...text.matchAll(DOTTED_CLOCK),
    ...[...text.matchAll(HOUR), ...text.matchAll(HOUR_OF_SPAN)].map(hourOf),
  ]
  const place = (match: RegExpExecArray, date: WrittenDate) => {
    const end = match.index + match[0].length
    const clock =
      date.clock === undefined ? clocks.find(found => /^(?:,| at| um| -)? $/.test(text.slice(end, found.index))) : undefined
    add(match.index, clock ? clock.index + clock[0].length : end, { date: { ...date, ...(clock && clockOf(clock)) } })
  }
  for (const match of text.matchAll(ISO)) {
    const [, year, month, day, hour, minute, second] = match
    place(match, {
      year: Number(year),
      month: Number(month),
      ...(day && { day: Number(day) }),
      ...(hour && { clock: Number(hour) * 60 + Number(minute) }),
      ...(second && { seconds: Number(second) }),
    })
  }
  for (const match of text.matchAll(DOTTED))
    place(match, { day: Number(match[1]), month: Number(match[2]), year: Number(match[3]) })
  for (const match of text.matchAll(DOTTED_DAY)) place(match, { day: Number(match[1]), month: Number(match[2]) })
  const hasMonth = mayHaveWord(text, MONTHS)
  const named = hasMonth ? (pattern: RegExp) => text.matchAll(pattern) : () => []
  const placeNamed = (pattern: RegExp) => {
    for (const match of named(pattern)) {
      const date = monthDate(match.groups)
      if (date !== undefined) place(match, date)
    }
  }
  placeNamed(DAYS_OF_LIST)
  placeNamed(DAY_OF_LIST)
  for (const match of text.matchAll(SHORT))
    if (Number(match[2]) <= 12 && text.includes('/')) place(match, { day: Number(match[1]), month: Number(match[2]) })
  placeNamed(DAY_MONTH)
  placeNamed(MONTH_DAY)
  for (const match of named(MONTH_ALONE)) {
    const date = monthDate(match.groups)
    // Spanish and French do not capitalize months. A year behind the word shows that it is a month.
    if (date === undefined || (!/^\p{Lu}/u.test(match[0]) && !date.year)) continue
    const isVerb = match[0] === 'May' && /^\s(?:\p{Lu}|(?:i|we|you|it|they|this|that|the)\s)/u.test(text.slice(match.index + 3))
    const bare = (isVerb || match[0] === 'Mar') && !/(?:in|of|since|for|to|from)\s$/i.test(text.slice(0, match.index))
    if (!bare) place(match, date)
  }
  for (const match of clocks) add(match.index, match.index + match[0].length, { date: clockOf(match) })
}

/** Turns the match of an hour, such as "5 Uhr", into the match that "5:00" would give. */
function hourOf(match: RegExpExecArray): RegExpExecArray {
  const [whole, hour = '0', , half] = match
  return Object.assign([whole, hour, '00', undefined, half] as unknown as RegExpExecArray, {
    index: match.index,
    input: match.input,
  })
}

function monthDate(groups: Readonly<Record<string, string | undefined>> = {}): WrittenDate | undefined {
  const { day, month: name = '', year } = groups
  const month = MONTHS.get(name.toLowerCase())
  return month === undefined ? undefined : { month, ...(year && { year: Number(year) }), ...(day && { day: Number(day) }) }
}

function clockOf(match: RegExpMatchArray): WrittenDate {
  const half = match[4]?.toLowerCase()
  const hour = half === undefined ? Number(match[1]) : (Number(match[1]) % 12) + (half === 'p' ? 12 : 0)
  return { clock: hour * 60 + Number(match[2]), ...(match[3] && { seconds: Number(match[3]) }) }
}
