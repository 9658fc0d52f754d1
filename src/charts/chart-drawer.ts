import { Worker } from 'node:worker_threads'
import type { Picture } from '../agent/picture.ts'
import { compiledEntry } from '../compiled-entry.ts'
import { errorMessage } from '../errors.ts'
import type { ChartDrawn, ChartToDraw } from './chart-thread.ts'

/** Chosen: a drawing takes a fraction of a second; nobody waits longer for an answer because of its chart. */
const TIME_LIMIT_MS = 10_000

/** Chosen: what the library takes, some 50 MB, is given back after this long without a chart. */
const IDLE_MS = 60_000
/** Pictures lie outside of the heap, and are let go with what little stands for them in it: a small heap is cleared often. */
const MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 }

export interface ChartDrawer {
  /** A chart or graph as PNG. Rejects where it cannot be drawn, or not in time. */
  draw(picture: Picture): Promise<Uint8Array>
  close(): Promise<void>
}

interface Waiting {
  resolve(png: Uint8Array): void
  reject(error: Error): void
}

/**
 * Draws charts in a thread of its own, which starts with the first one: loading the library and laying a chart out would hold everything else up for
 * some tenths of a second. A thread that fails is replaced by the next drawing.
 */
export function createChartDrawer({ timeLimitMs = TIME_LIMIT_MS }: { readonly timeLimitMs?: number } = {}): ChartDrawer {
  let current: ChartThread | undefined
  return {
    draw: picture => {
      if (current === undefined || current.isOver) current = new ChartThread()
      return current.draw(picture, timeLimitMs)
    },
    close: async () => current?.end('charts are drawn no longer'),
  }
}

class ChartThread {
  readonly #worker = new Worker(compiledEntry(import.meta.url, './chart-thread.ts'), { resourceLimits: MEMORY })
  readonly #waiting = new Map<number, Waiting>()
  #drawings = 0
  #idle: NodeJS.Timeout | undefined
  isOver = false

  constructor() {
    // It keeps no process alive.
    this.#worker.unref()
    this.#worker.on('message', (drawn: ChartDrawn) => {
      const waiting = this.#waiting.get(drawn.id)
      if ('png' in drawn) waiting?.resolve(drawn.png)
      else waiting?.reject(new Error(drawn.error))
    })
    this.#worker.on('error', error => void this.end(errorMessage(error)))
    this.#worker.on('exit', () => void this.end('the thread that draws charts ended'))
  }

  async draw(picture: Picture, timeLimitMs: number): Promise<Uint8Array> {
    const id = this.#drawings++
    clearTimeout(this.#idle)
    const timer = setTimeout(() => void this.end(`no chart was drawn within ${timeLimitMs} ms`), timeLimitMs)
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        this.#worker.postMessage({ id, picture } satisfies ChartToDraw)
      })
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.end('no chart was wanted'), IDLE_MS).unref()
    }
  }

  /** Fails every drawing that is under way. */
  async end(reason: string): Promise<void> {
    this.isOver = true
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.values()) reject(new Error(reason))
    await this.#worker.terminate()
  }
}
