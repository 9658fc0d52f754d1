import { z } from 'zod'
import { answerWords } from '../words/answer.ts'
import type { Language } from '../words/language.ts'

/** Where the data begin or end within the period that a query asks for, as the clock of the data shows it: `2026-10-03`, or `2026-11-21 14:05`. */
export const dataEdgesSchema = z.object({
  /** `database.table`. */
  table: z.string(),
  /** null where they begin before the period, and end behind it. */
  begins: z.string().nullable(),
  ends: z.string().nullable(),
  /** The zone of that clock, where it is not the asker's. */
  zone: z.string().nullable(),
})
export type DataEdges = z.infer<typeof dataEdgesSchema>

/** The same for whoever writes the answer. */
export function describeEdges({ begins, ends, zone }: DataEdges): string {
  const parts = [begins && `begin at ${begins}`, ends && `end at ${ends}`].filter(Boolean)
  return `The data ${parts.join(' and ')}${zone === null ? '' : ` (${zone})`}, within the period that is asked for.`
}

/**
 * "The data ends on 21 November at 14:05.": one sentence for whoever reads the answer.
 * @param options.now Unix time in milliseconds
 * @param options.table where the query reads several, in back-ticks
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
