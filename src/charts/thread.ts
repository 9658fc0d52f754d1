import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../base/errors.ts'
import { drawPicture } from './draw-picture.ts'
import type { Picture } from './picture.ts'

export interface ChartToDraw {
  readonly id: number
  readonly picture: Picture
}
export type ChartDrawn = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly error: string })

/** This thread receives a chart or graph, and returns a picture or an error. */
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
