import { z } from 'zod'
import { CHART_KINDS } from './chart.ts'

/** The chart that a query's writer suggests: a kind and result columns. `buildChart` decides what to draw. */
export const chartRequestSchema = z.object({
  kind: z.enum(CHART_KINDS),
  /** The column for the x axis, the bars or the slices. */
  label: z.string(),
  /** The columns with numbers. */
  values: z.array(z.string()),
  /** Splits the values into one series per value of this column, e.g. per city. */
  series: z.string().nullable().default(null),
})
export type ChartRequest = z.infer<typeof chartRequestSchema>
