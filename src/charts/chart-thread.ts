import { parentPort } from 'node:worker_threads'
import type { Picture } from '../agent/picture.ts'
import { errorMessage } from '../errors.ts'
import { drawPicture } from './chart-picture.ts'

export interface ChartToDraw {
  readonly id: number
  readonly picture: Picture
}
export type ChartDrawn = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string })

/** The thread that draws charts: a chart or graph in, its picture or what went wrong out. */
parentPort?.on('message', ({ id, picture }: ChartToDraw) => {
  parentPort?.postMessage(drawn(id, picture))
})

function drawn(id: number, picture: Picture): ChartDrawn {
  try {
    return { id, png: drawPicture(picture) }
  } catch (error) {
    return { id, error: errorMessage(error) }
  }
}
