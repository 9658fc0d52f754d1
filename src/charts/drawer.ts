import { Worker } from 'node:worker_threads'
import { errorMessage } from '../base/errors.ts'
import { compiledEntry } from '../base/package-files.ts'
import { Places } from '../base/places.ts'
import { withTimeLimit } from '../base/with-time-limit.ts'
import type { PlacedGraph, UnplacedGraph } from './graph/place-graph.ts'
import { CHART_LIMITS } from './limits.ts'
import type { Picture } from './picture.ts'
import type { ChartDone, ChartWork } from './thread.ts'

export interface DrawingRequest {
  /** The person who gets the picture. People take turns, so that many pictures of one person delay nobody else. */
  readonly person: string
  /** If this signal aborts while the picture waits for its turn, the picture is not drawn. */
  readonly signal: AbortSignal
}

/** All limits are times in milliseconds. */
interface DrawingLimits {
  readonly turnMs: number
  readonly drawMs: number
}

export interface ChartDrawer {
  /** Draws a chart or graph as PNG. Rejects if the drawing fails, or if the wait or the drawing takes too long. */
  draw(picture: Picture, request: DrawingRequest): Promise<Uint8Array>
  /** Arranges the boxes of a graph. Rejects as `draw` does. */
  place(graph: UnplacedGraph, request: DrawingRequest): Promise<PlacedGraph>
  close(): Promise<void>
}

/**
 * Draws charts and graphs in a separate thread, because loading the library and computing a layout would block the event loop for
 * some tenths of a second. The thread starts with the first drawing. After a failure, the next drawing starts a new one.
 */
export function createChartDrawer(limits: Partial<DrawingLimits> = {}): ChartDrawer {
  const drawer = new TurnTakingDrawer({ ...CHART_LIMITS, ...limits })
  return {
    draw: (picture, request) => drawer.done<Uint8Array>(picture, request),
    place: (graph, request) => drawer.done<PlacedGraph>({ ...graph, kind: 'places' }, request),
    close: () => drawer.close(),
  }
}

const CLOSED = 'charts are drawn no longer'

/**
 * Gives the thread one picture at a time. A drawing uses memory outside of V8's heap: 25 MB for a graph of 60 tables. Only a
 * pause between two drawings frees this memory.
 */
class TurnTakingDrawer {
  readonly #limits: DrawingLimits
  readonly #turns = new Places({ all: 1, ofOne: 1 })
  #isClosed = false
  #thread: ChartThread | undefined

  constructor(limits: DrawingLimits) {
    this.#limits = limits
  }

  /** @returns what the thread makes of the work */
  async done<Done extends Uint8Array | PlacedGraph>(work: ChartWork, { person, signal }: DrawingRequest): Promise<Done> {
    const { turnMs, drawMs } = this.#limits
    const end = await this.#turns.wait(person, withTimeLimit(signal, turnMs)).catch(() => {
      throw signal.aborted ? signal.reason : new Error(`no turn to draw came within ${turnMs} ms`)
    })
    try {
      if (this.#isClosed) throw new Error(CLOSED)
      if (this.#thread === undefined || this.#thread.isOver) this.#thread = new ChartThread()
      return (await this.#thread.do(work, drawMs)) as Done
    } finally {
      end()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.end(CLOSED)
  }
}

/** Wraps the thread that draws one picture at a time. */
class ChartThread {
  readonly #worker = new Worker(compiledEntry('charts/thread'), { resourceLimits: CHART_LIMITS.threadMemory })
  #settle: (done: ChartDone) => void = () => undefined
  #idle: NodeJS.Timeout | undefined
  isOver = false

  constructor() {
    // When everything else has ended, the thread must not keep the process alive.
    this.#worker.unref()
    this.#worker.on('message', (done: ChartDone) => this.#settle(done))
    this.#worker.on('error', error => void this.end(errorMessage(error)))
    this.#worker.on('exit', () => void this.end('the thread that draws charts ended'))
  }

  async do(work: ChartWork, timeLimitMs: number): Promise<Uint8Array | PlacedGraph> {
    clearTimeout(this.#idle)
    this.#worker.postMessage(work)
    const timer = setTimeout(() => void this.end(`no chart was drawn within ${timeLimitMs} ms`), timeLimitMs)
    const made = await new Promise<ChartDone>(resolve => {
      this.#settle = resolve
    })
    clearTimeout(timer)
    if (!this.isOver) this.#idle = setTimeout(() => void this.end('no chart was wanted'), CHART_LIMITS.idleMs).unref()
    if ('done' in made) return made.done
    throw new Error(made.error)
  }

  /** Ends the thread. If it is drawing a picture, that drawing fails. */
  async end(reason: string): Promise<void> {
    this.isOver = true
    clearTimeout(this.#idle)
    this.#settle({ error: reason })
    await this.#worker.terminate()
  }
}
