import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../base/errors.ts'
import { drawPicture } from './draw-picture.ts'
import type { Picture } from './picture.ts'

export type ChartDrawn = { readonly png: Uint8Array } | { readonly error: string }

/** This thread receives a chart or graph, and returns a picture or an error. */
parentPort?.on('message', (picture: Picture) => {
  parentPort?.postMessage(drawn(picture))
})

function drawn(picture: Picture): ChartDrawn {
  try {
    return { png: drawPicture(picture) }
  } catch (error) {
    return { error: errorMessage(error) }
  }
}
