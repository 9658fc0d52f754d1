import { parentPort } from 'node:worker_threads'
import type { Chart } from '../agent/chart.ts'
import { errorMessage } from '../errors.ts'
import { chartPicture } from './chart-picture.ts'

export interface ChartToDraw {
  readonly id: number
  readonly chart: Chart
}
export type ChartDrawn = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string })

/** The thread that draws charts: a chart in, its picture or what went wrong out. */
parentPort?.on('message', ({ id, chart }: ChartToDraw) => {
  parentPort?.postMessage(drawn(id, chart))
})

function drawn(id: number, chart: Chart): ChartDrawn {
  try {
    return { id, png: chartPicture(chart) }
  } catch (error) {
    return { id, error: errorMessage(error) }
  }
}
