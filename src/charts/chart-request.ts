import { z } from 'zod'
import { CHART_KINDS } from './chart.ts'

/**
 * The chart that a model suggests with its query: a kind, and columns of the result. `buildChart` decides whether to draw it, and
 * how.
 */
export const chartRequestSchema = z.object({
  kind: z.enum(CHART_KINDS),
  /** The result column for the x axis, the bars or the slices. */
  label: z.string(),
  values: z.array(z.string()),
  /** The result column that divides the numbers into series. Each value of the column, such as each city, gets a series. */
  series: z.string().nullable().default(null),
})
export type ChartRequest = z.infer<typeof chartRequestSchema>
