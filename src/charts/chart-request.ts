import { z } from 'zod'
import { CHART_KINDS } from './chart.ts'

/**
 * The chart that a model suggests together with its query: a kind and result columns. `buildChart` decides whether and how Clew draws it.
 */
export const chartRequestSchema = z.object({
  kind: z.enum(CHART_KINDS),
  /** The result column for the x axis, the bars or the slices. */
  label: z.string(),
  /** The result columns with numbers. */
  values: z.array(z.string()),
  /** A result column whose values, e.g. cities, divide the numbers into series, one per value. */
  series: z.string().nullable().default(null),
})
export type ChartRequest = z.infer<typeof chartRequestSchema>
