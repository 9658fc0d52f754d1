import { z } from 'zod'
import { languageSchema } from '../words/language.ts'

export const CHART_KINDS = ['line', 'bar', 'pie'] as const

/** A chart that every platform can show, either natively or as a picture. A missing value is null. */
export const chartSchema = z.object({
  kind: z.enum(CHART_KINDS),
  title: z.string(),
  /** The names along the x axis, or the names of the slices. Times are already formatted. */
  labels: z.array(z.string()).min(2),
  /** The series of the chart, each with one value per label. A pie has one series. */
  series: z.array(z.object({ name: z.string(), values: z.array(z.number().nullable()) })).min(1),
  /** The unit of the values, e.g. "ms". It may be empty. */
  unit: z.string(),
  /**
   * Whether the value axis does not start at zero, so that small differences become visible. A note above the chart then says so.
   */
  starts_elsewhere: z.boolean().optional(),
  /** The language of the words that Clew adds to the chart. Default: English. */
  language: languageSchema.optional(),
})
export type Chart = z.infer<typeof chartSchema>

/** Values are close if their range is less than this fraction of the value that is farthest from zero. */
const CLOSE = 0.3

/** Whether the values differ so little that the difference would be almost invisible on an axis from zero. */
export function areClose(values: readonly number[]): boolean {
  const least = Math.min(...values)
  const most = Math.max(...values)
  return (least > 0 && most - least < CLOSE * most) || (most < 0 && most - least < -CLOSE * least)
}

/** Returns all values of a chart except gaps. If there are none, returns [0]. */
export function drawnValues(series: readonly { readonly values: readonly (number | null)[] }[]): readonly number[] {
  const values = series.flatMap(each => each.values.filter(value => value !== null))
  return values.length === 0 ? [0] : values
}
