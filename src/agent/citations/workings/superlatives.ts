import type { Span } from '../figure.ts'
import { AT_AN_END, CHANGES } from '../wording.ts'

/** "Most often", "most recent": ranked by another word than the amount. */
const BY_ADJECTIVE =
  /^(?:most|least)\s(?:\p{L}+(?:ed|ent|able|ible|ive|ic|al|ant|ful|ous|ly)|common|often|of|popular|active|severe)(?!\p{L})/iu

const RANKS: readonly RegExp[] = [
  /(?!)/,
  /(?!)/,
  /(?:second|zweit|next|nächst|runner-up)[- ]?\p{L}{0,24}[- ]?$/iu,
  /(?:third|dritt)[- ]?\p{L}{0,24}[- ]?$/iu,
  /(?:fourth|viert)[- ]?\p{L}{0,24}[- ]?$/iu,
]

const BEFORE_END =
  /(?<!\p{L})(?:smallest|lowest|shortest|largest|greatest|highest|longest|kleinste[ns]?|größte[ns]?|höchste[ns]?|niedrigste[ns]?)\s$/iu

const LIMIT_TO = /(?<!\p{L})(?:below|above|under|over|than|unter|über|als)\s(?:(?:the|their|its|dem|den|ihrem)\s)?$/iu

/** A word that says that something is at one end of a column. */
export interface Superlative extends Span {
  readonly text: string
  /** What it can be said of: a day or a clock, a span of time, anything. */
  readonly kind: 'moment' | 'time' | 'amount'
  readonly isHighest: boolean
  /** 2 for "the second highest". */
  readonly rank: number
  /** It may rank by another word, so that only a working that says the same tells. */
  readonly isLoose: boolean
}

/** The words of a text that put something at an end of what the rows hold. */
export function superlativesIn(text: string): Superlative[] {
  return [...text.matchAll(AT_AN_END)].flatMap(match => {
    const start = match.index
    const isNoun = /(?<!\p{L})the\s$/iu.test(text.slice(0, start)) && /^\S+\sof(?!\p{L})/u.test(text.slice(start))
    const isByAdjective = BY_ADJECTIVE.test(text.slice(start)) && !isNoun
    // "The most planned admissions" may be the most of those, where the working says so.
    const isParticiple = /^\S+\s\p{L}+ed\s\p{L}+s(?!\p{L})/u.test(text.slice(start))
    if (isByAdjective && !isParticiple) return []
    // "Below minimum stock" is below a limit.
    if (/^max|^min/i.test(match[0]) && LIMIT_TO.test(text.slice(0, start))) return []
    // "The smallest maximum" is the smallest.
    if (/^max|^min/i.test(match[0]) && BEFORE_END.test(text.slice(0, start))) return []
    const { high, long, late, early, short } = match.groups ?? {}
    const rank = RANKS.findIndex(pattern => pattern.test(text.slice(Math.max(0, start - 24), start)))
    const kind =
      late !== undefined || early !== undefined ? 'moment' : long !== undefined || short !== undefined ? 'time' : 'amount'
    const isHighest = (high ?? long ?? late) !== undefined
    return [
      { start, end: start + match[0].length, text: match[0], kind, isHighest, rank: rank < 0 ? 1 : rank, isLoose: isByAdjective },
    ]
  })
}

/** "The largest increase", "the smallest fall": 1 or -1; 0 where the words behind a superlative tell of no change. */
export function changeBehind({ end }: Superlative, text: string): number {
  const [said] = (/^(?:\s\p{L}+){0,2}/u.exec(text.slice(end))?.[0] ?? '').matchAll(CHANGES)
  return said === undefined ? 0 : said.groups?.up !== undefined ? 1 : -1
}

/** The one or two words behind a superlative. */
export function nounsBehind({ end }: Superlative, text: string): string[] {
  return /^(?:\s\p{L}+){1,2}/u.exec(text.slice(end))?.[0].trim().toLowerCase().split(' ') ?? []
}
