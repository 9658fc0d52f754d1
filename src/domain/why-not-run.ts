import { templateOf, type VerifiedQuery } from './files.ts'
import type { QueryTemplate } from './query-parameters.ts'

/** Matches words by which askers mean themselves, such as "my" or the German "ich". */
const SPEAKER = /(?<![\p{L}\d])(?:i|me|my|mine|myself|ich|mich|mir|mein(?:e[mnrs]?)?)(?![\p{L}\d])/iu
/** Matches a year, alone or at the start of a date: `2026`, `2026-03-01`, `202603`, `20260301`. */
const YEAR = /(?<![\d.])((?:19[7-9]|20\d)\d)(?:-?(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?)?(?!\d)/g
/** Matches Unix time in seconds or milliseconds, such as `1767225600`. */
const UNIX_TIME = /(?<!\d)1[0-9]\d{8}(?:\d{3})?(?!\d)/
/** Matches words such as "yesterday", which mean another date on another day. */
const MOVES =
  /(?<!\p{L})(?:today|yesterday|tomorrow|this|last|past|current(?:ly)?|now|so far|to date|ago|recent(?:ly)?|latest|next|previous|heute|gestern|diese[mnrs]?|letzte[mnrs]?|vorige[mnrs]?|aktuell\p{L}*|bisher|jetzt)(?!\p{L})/iu
/** Matches a date with a month, such as `2026-03`. 1 January does not match, because it may begin or end a year. */
const WITHIN_YEAR = /(?<![\d.])20\d\d-?(?!01-?01(?!\d))(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?(?!\d)/

/**
 * Returns why Clew must not run a verified query itself, but only show it to the model as an example. Returns undefined if the
 * query is also right for another person and on another day.
 */
export function whyNotRun(query: VerifiedQuery): string | undefined {
  if (SPEAKER.test(query.question)) return 'its question is about whoever asks it'
  return namesItsDates(templateOf(query)) ? undefined : 'its SQL names a date that its question does not'
}

/**
 * Whether the question names the year of every date in the SQL. "How many orders yesterday?" does not, so a fixed date in its SQL
 * is right on one day only. A year in the SQL may be one later, because a period may end on 1 January. False if the question has
 * words such as "this month" and the SQL has a date with a month. Such a date may be right only on the day of verification.
 */
function namesItsDates({ question, sql }: QueryTemplate): boolean {
  const named = new Set(question.match(/\d{4}/g))
  const years = [...sql.matchAll(YEAR)].map(([, year]) => Number(year))
  if (MOVES.test(question) && WITHIN_YEAR.test(sql)) return false
  return !UNIX_TIME.test(sql) && years.every(year => named.has(String(year)) || named.has(String(year - 1)))
}
