import { z } from 'zod'
import { answerWords } from '../words/answer.ts'
import type { Language } from '../words/language.ts'

/**
 * The first and last moment of the data, if they are within the period that a query selects. Both are in the data's time zone: `2026-10-03`, or
 * `2026-11-21 14:05`.
 */
export const dataEdgesSchema = z.object({
  /** The table, as `database.table`. */
  table: z.string(),
  /** `begins` is null if the data begin before the asked period. `ends` is null if the data end after it. */
  begins: z.string().nullable(),
  ends: z.string().nullable(),
  /** The time zone of `begins` and `ends`. Null means the asker's time zone. */
  zone: z.string().nullable(),
})
export type DataEdges = z.infer<typeof dataEdgesSchema>

/** Describes the first and last moment of the data for the model that writes the answer. */
export function describeEdges({ begins, ends, zone }: DataEdges): string {
  const parts = [begins && `begin at ${begins}`, ends && `end at ${ends}`].filter(Boolean)
  return `The data ${parts.join(' and ')}${zone === null ? '' : ` (${zone})`}, within the period that is asked for.`
}

/**
 * Describes the edges in one sentence for the person who reads the answer: "The data ends on 21 November at 14:05."
 * @param options.now Unix time in milliseconds
 * @param options.table the table's name in backticks if the query reads several tables; otherwise null
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
