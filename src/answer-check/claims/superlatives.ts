import type { TextRange } from '../figures/figure.ts'
import { AT_AN_END, CHANGES } from '../figures/wording.ts'
import { textBefore } from '../text-before.ts'

/** Matches a superlative that belongs to an adjective, such as "most often" or "most recent". Such a superlative ranks by no amount. */
const BY_ADJECTIVE =
  /^(?:most|least)\s(?:\p{L}+(?:ed|ent|able|ible|ive|ic|al|ant|ful|ous|ly)|common|often|of|popular|active|severe)(?!\p{L})/iu

/** Matches a rank in front of a superlative. The number of its group is the rank less one. */
const RANK = /(?:(second|zweit|next|nächst|runner-up)|(third|dritt)|(fourth|viert))[- ]?\p{L}{0,24}[- ]?$/iu

/** Matches a rank beyond the fourth, which is not read. */
const LATER_RANK = /(?<!\p{L})(?:(?:fif|six|seven|eigh|nin|ten|eleven|twelf)th|(?:fünf|sechs|sieb|ach|neun|zehn)te[nrs]?)[- ]?$/iu

const LIMIT_TO = /(?<!\p{L})(?:below|above|under|over|than|unter|über|als)\s(?:(?:the|their|its|dem|den|ihrem)\s)?$/iu

/** Matches words that make a day the beginning of a duration. */
const SINCE = /^[^;.\d]{0,60}(?<!\p{L})(?:since|seit)(?!\p{L})/iu

/** A word that says that something is the highest or the lowest. */
export interface Superlative extends TextRange {
  readonly text: string
  /** The kinds of figures that the word can describe: a day or time of day, a duration, or any amount. */
  readonly kind: 'moment' | 'time' | 'amount'
  readonly isHighest: boolean
  /** The rank: 2 for "the second highest". */
  readonly rank: number
  /** The rank may count from either end: "is second". */
  readonly isEither?: boolean
}

/** Matches a rank without a superlative: "is second in revenue", "an dritter Stelle". */
const RANKED =
  /(?<!\p{L})(?:is|was|comes?|came|ranks?|ranked|follows?|in|an|auf)\s(?:(second|zweite[rnm]?)|(third|dritte[rnm]?)|(fourth|vierte[rnm]?))(?=\s(?:place|in|by|with|at|stelle|platz|mit|nach)(?!\p{L})|[,:])/giu

/** Matches a superlative that may be the highest or the lowest: "the best-rated", "the worst". */
const AT_EITHER_END = /(?<!\p{L})(?:best|worst|beste[nrsm]?|schlechteste[nrsm]?)(?:-\p{L}{1,30})?(?!\p{L})/giu

/** Returns the rank that the group of a match tells, else 1. */
function rankOf(groups: readonly (string | undefined)[] | null): number {
  return 1 + Math.max(0, groups?.findIndex((group, at) => at > 0 && group !== undefined) ?? 0)
}

/** Finds the superlatives of a text. */
export function superlativesIn(text: string): Superlative[] {
  const found = [...text.matchAll(AT_AN_END)].flatMap((match): Superlative[] => {
    const start = match.index
    const before = textBefore(text, start)
    const behind = text.slice(start)
    const isNoun = /(?<!\p{L})the\s$/iu.test(before) && /^\S+\sof(?!\p{L})/u.test(behind)
    // In "the most planned admissions", "most" may rank the admissions.
    const isParticiple = /^\S+\s\p{L}+ed\s\p{L}+s(?!\p{L})/u.test(behind)
    // "Below minimum stock" names a limit and ranks nothing.
    const isLimit = /^(?:max|min)/i.test(match[0]) && LIMIT_TO.test(before)
    if ((BY_ADJECTIVE.test(behind) && !isNoun && !isParticiple) || isLimit || LATER_RANK.test(before)) return []
    const { high, long, late, early, short } = match.groups ?? {}
    const isTime = long !== undefined || short !== undefined
    // "The longest, since 22 August" has the earliest day.
    const isSince = isTime && SINCE.test(text.slice(start + match[0].length))
    const kind = late !== undefined || early !== undefined || isSince ? 'moment' : isTime ? 'time' : 'amount'
    const isHighest = isSince ? short !== undefined : (high ?? long ?? late) !== undefined
    return [{ start, end: start + match[0].length, text: match[0], kind, isHighest, rank: rankOf(RANK.exec(before)) }]
  })
  const either = [...text.matchAll(RANKED), ...text.matchAll(AT_EITHER_END)].map(match => {
    const span = { start: match.index, end: match.index + match[0].length, text: match[0] }
    return { ...span, kind: 'amount' as const, isHighest: true, rank: rankOf(match), isEither: true }
  })
  return [...found, ...either].sort((one, other) => one.start - other.start)
}

/** Returns 1 if the superlative is about a rise ("the largest increase", "rose the most"), -1 if it is about a fall ("the smallest fall"), else 0. */
export function changeAt({ start, end }: Superlative, text: string): number {
  const verb = /(?<!\p{L})\p{L}+(?=\s(?:(?:the|am)\s)?$)/iu.exec(textBefore(text, start))?.[0] ?? ''
  const [said] = `${/^(?:\s\p{L}+){0,2}/u.exec(text.slice(end))?.[0] ?? ''} ${verb}`.matchAll(CHANGES)
  return said === undefined ? 0 : said.groups?.up !== undefined ? 1 : -1
}

/** Returns one or two words behind a superlative. */
export function nounsBehind({ end }: Superlative, text: string): string[] {
  return /^(?:\s\p{L}+){1,2}/u.exec(text.slice(end))?.[0].trim().toLowerCase().split(' ') ?? []
}
