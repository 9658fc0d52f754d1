import { z } from 'zod'
import { languageSchema } from '../words/language.ts'

/** A chart that every surface can draw, natively or as a picture. Gaps are null. */
export const CHART_KINDS = ['line', 'bar', 'pie'] as const

export const chartSchema = z.object({
  kind: z.enum(CHART_KINDS),
  title: z.string(),
  /** Names along the x axis or of the slices. Times are already formatted. */
  labels: z.array(z.string()).min(2),
  /** A pie has one. Each series has one value per label. */
  series: z.array(z.object({ name: z.string(), values: z.array(z.number().nullable()) })).min(1),
  /** The unit of the values, e.g. "ms"; may be empty. */
  unit: z.string(),
  /** The axis does not start at zero, because the differences would be invisible. The axis says so. */
  starts_elsewhere: z.boolean().optional(),
  /** The language of the program's words in the chart. Default: English. */
  language: languageSchema.optional(),
})
export type Chart = z.infer<typeof chartSchema>

/** Values are close if they differ by less than this share of the highest. */
const CLOSE = 0.3

/** Whether differences would be almost invisible on an axis from zero. */
export function areClose(values: readonly number[]): boolean {
  const least = Math.min(...values)
  const most = Math.max(...values)
  return (least > 0 && most - least < CLOSE * most) || (most < 0 && most - least < -CLOSE * least)
}

/** All values of a chart except gaps; [0] if there are none. */
export function drawnValues(series: readonly { readonly values: readonly (number | null)[] }[]): readonly number[] {
  const values = series.flatMap(each => each.values.filter(value => value !== null))
  return values.length === 0 ? [0] : values
}
