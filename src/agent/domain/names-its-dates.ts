import type { QueryTemplate } from './query-parameters.ts'

/** A year, alone or at the head of a date: `2026`, `2026-03-01`, `202603`, `20260301`. */
const YEAR = /(?<![\d.])((?:19[7-9]|20\d)\d)(?:-?(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?)?(?!\d)/g
/** Unix time, in seconds or milliseconds. */
const UNIX_TIME = /(?<!\d)1[0-9]\d{8}(?:\d{3})?(?!\d)/

/** Says when by the day on which it is asked. */
const MOVES =
  /\b(?:today|yesterday|tomorrow|this|last|past|current(?:ly)?|now|so far|to date|ago|recent(?:ly)?|latest|next|previous)\b/i
/** A month, or a day other than the first of a year. */
const WITHIN_YEAR = /(?<![\d.])20\d\d-?(?!01-?01(?!\d))(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?(?!\d)/

/**
 * Whether a verified query names no dates but those that its question asks for. "How many orders yesterday?" with a date in its SQL was right on one day. The end
 * of a period may be the first day of the next year. Where a question says "this month" beside a year, months and days in its
 * SQL may be those of when it was verified.
 */
export function namesItsDates({ question, sql }: Pick<QueryTemplate, 'question' | 'sql'>): boolean {
  const named = new Set(question.match(/\d{4}/g))
  const years = [...sql.matchAll(YEAR)].map(([, year]) => Number(year))
  if (MOVES.test(question) && WITHIN_YEAR.test(sql)) return false
  return !UNIX_TIME.test(sql) && years.every(year => named.has(String(year)) || named.has(String(year - 1)))
}
