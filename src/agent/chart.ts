import { z } from 'zod'

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
})
export type Chart = z.infer<typeof chartSchema>
