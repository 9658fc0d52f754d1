import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../base/errors.ts'
import { drawPicture } from './draw-picture.ts'
import { type PlacedGraph, placeGraph, type UnplacedGraph } from './graph/place-graph.ts'
import type { Picture } from './picture.ts'

/** The work of the thread: it draws a chart or graph as PNG, or places the tables of a graph. */
export type ChartWork = Picture | (UnplacedGraph & { readonly kind: 'places' })
export type ChartDone = { readonly done: Uint8Array | PlacedGraph } | { readonly error: string }

parentPort?.on('message', (work: ChartWork) => {
  parentPort?.postMessage(doneOf(work))
})

function doneOf(work: ChartWork): ChartDone {
  try {
    return { done: work.kind === 'places' ? placeGraph(work) : drawPicture(work) }
  } catch (error) {
    return { error: errorMessage(error) }
  }
}
