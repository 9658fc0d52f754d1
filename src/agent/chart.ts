import { z } from 'zod'
import { languageSchema } from '../words/language.ts'

/** One chart as every surface can draw it: natively, or as a picture. Values are plain numbers; a gap is null. */
export const CHART_KINDS = ['line', 'bar', 'pie'] as const

export const chartSchema = z.object({
  kind: z.enum(CHART_KINDS),
  title: z.string(),
  /** Names along the x axis, or of the slices; for times as they are to be read. */
  labels: z.array(z.string()).min(2),
  /** One or more; a pie has one. Each has as many values as there are labels. */
  series: z.array(z.object({ name: z.string(), values: z.array(z.number().nullable()) })).min(1),
  /** What the values count, e.g. "ms"; empty when it has no unit. */
  unit: z.string(),
  /** Set for a line whose differences could not be seen above zero. It shows no amount, and its axis says where it starts. */
  starts_elsewhere: z.boolean().optional(),
  /** The language of the words that a program writes in it; English when absent. */
  language: languageSchema.optional(),
})
export type Chart = z.infer<typeof chartSchema>

/** Values lie close together where they differ by less than this part of the highest. */
const CLOSE = 0.3

/** Whether the differences of values could hardly be seen on an axis that starts at zero. */
export function areClose(values: readonly number[]): boolean {
  const least = Math.min(...values)
  const most = Math.max(...values)
  return (least > 0 && most - least < CLOSE * most) || (most < 0 && most - least < -CLOSE * least)
}

/** All values of a chart but its gaps; 0 where there is none. */
export function valuesOf(series: readonly { readonly values: readonly (number | null)[] }[]): readonly number[] {
  const values = series.flatMap(each => each.values.filter(value => value !== null))
  return values.length === 0 ? [0] : values
}
