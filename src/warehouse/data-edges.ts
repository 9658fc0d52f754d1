import { z } from 'zod'
import { answerWords } from '../words/answer.ts'
import type { Language } from '../words/language.ts'

/**
 * The first and last moment of the data, if the data begin or end inside the period that a query selects. Both are written in the
 * data's time zone: `2026-10-03`, or `2026-11-21 14:05`.
 */
export const dataEdgesSchema = z.object({
  /** The table, as `database.table`. */
  table: z.string(),
  /** `begins` is null if the data begin before the period of the query. `ends` is null if the data end after it. */
  begins: z.string().nullable(),
  ends: z.string().nullable(),
  /** The time zone of `begins` and `ends`. Null for the asker's own time zone. */
  zone: z.string().nullable(),
})
export type DataEdges = z.infer<typeof dataEdgesSchema>

/** Describes the first and last moment of the data for the model that writes the answer. */
export function describeEdges({ begins, ends, zone }: DataEdges): string {
  const parts = [begins && `begin at ${begins}`, ends && `end at ${ends}`].filter(Boolean)
  return `The data ${parts.join(' and ')}${zone === null ? '' : ` (${zone})`}, within the period that is asked for.`
}

/**
 * Writes the edges as one sentence for the person who reads the answer: "The data ends on 21 November at 14:05."
 * @param options.now Unix time in milliseconds
 * @param options.table the table's name in backticks; null if the query reads only one table
 */
export function edgesSentence(
  { begins, ends, zone }: DataEdges,
  { now, table }: { readonly now: number; readonly table: string | null },
  language: Language,
): string {
  const words = answerWords(language)
  const thisYear = new Date(now).getUTCFullYear()
  const [begin, end] = [begins, ends].map(edge => (edge === null ? null : words.moment(edge, thisYear)))
  const sentence = words.dataReach(begin ?? null, end ?? null, table)
  return zone === null ? sentence : sentence.replace(/\.$/, ` (${zone}).`)
}
