import { z } from 'zod'
import { CHART_KINDS } from '../chart.ts'

/** What the writer of a query says of a chart of its result: a kind and names of result columns. What is drawn of it, `buildChart` decides. */
export const chartRequestSchema = z.object({
  kind: z.enum(CHART_KINDS),
  /** The column of the x axis, or of the names of bars or slices. */
  label: z.string(),
  /** The columns of numbers. */
  values: z.array(z.string()),
  /** A column whose values each make a series of their own, e.g. the city beside day and number. */
  series: z.string().nullable().default(null),
})
export type ChartRequest = z.infer<typeof chartRequestSchema>
