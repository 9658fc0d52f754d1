import type { QueryTemplate } from './query-parameters.ts'

/** Matches a year, alone or at the start of a date: `2026`, `2026-03-01`, `202603`, `20260301`. */
const YEAR = /(?<![\d.])((?:19[7-9]|20\d)\d)(?:-?(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?)?(?!\d)/g
/** Matches Unix time, in seconds or milliseconds. */
const UNIX_TIME = /(?<!\d)1[0-9]\d{8}(?:\d{3})?(?!\d)/

/** Matches words such as "yesterday", whose date depends on the day of the question. */
const MOVES =
  /\b(?:today|yesterday|tomorrow|this|last|past|current(?:ly)?|now|so far|to date|ago|recent(?:ly)?|latest|next|previous)\b/i
/** Matches a date with a month. Does not match 1 January, which may be the start or the end of a year. */
const WITHIN_YEAR = /(?<![\d.])20\d\d-?(?!01-?01(?!\d))(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?(?!\d)/

/**
 * Whether all dates in a verified query's SQL also stand in its question. For "How many orders yesterday?", SQL with a fixed date was right on one
 * day only. A year in the SQL may be one later than in the question, because a period may end on 1 January. If the question also says "this month",
 * months and days in the SQL may come from the day of verification. Such SQL is refused.
 */
export function namesItsDates({ question, sql }: Pick<QueryTemplate, 'question' | 'sql'>): boolean {
  const named = new Set(question.match(/\d{4}/g))
  const years = [...sql.matchAll(YEAR)].map(([, year]) => Number(year))
  if (MOVES.test(question) && WITHIN_YEAR.test(sql)) return false
  return !UNIX_TIME.test(sql) && years.every(year => named.has(String(year)) || named.has(String(year - 1)))
}
