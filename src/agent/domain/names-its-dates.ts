import type { QueryTemplate } from './query-parameters.ts'

/** A year, alone or at the head of a date: `2026`, `2026-03-01`, `202603`, `20260301`. */
const YEAR = /(?<![\d.])((?:19[7-9]|20\d)\d)(?:-?(?:0[1-9]|1[0-2])(?:-?[0-3]\d)?)?(?!\d)/g
/** Unix time, in seconds or milliseconds. */
const UNIX_TIME = /(?<!\d)1[0-9]\d{8}(?:\d{3})?(?!\d)/

/**
 * Whether a verified query names no dates but those that its question asks for. "How many orders yesterday?" with a date in its SQL was right on one day. The end
 * of a period may be the first day of the next year.
 */
export function namesItsDates({ question, sql }: Pick<QueryTemplate, 'question' | 'sql'>): boolean {
  const named = new Set(question.match(/\d{4}/g))
  const years = [...sql.matchAll(YEAR)].map(([, year]) => Number(year))
  return !UNIX_TIME.test(sql) && years.every(year => named.has(String(year)) || named.has(String(year - 1)))
}
