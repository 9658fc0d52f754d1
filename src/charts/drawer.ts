import { Worker } from 'node:worker_threads'
import { errorMessage } from '../base/errors.ts'
import { compiledEntry } from '../base/package-files.ts'
import { CHART_LIMITS } from './limits.ts'
import type { Picture } from './picture.ts'
import type { ChartDrawn, ChartToDraw } from './thread.ts'

export interface ChartDrawer {
  /** Draws a chart or graph as PNG. Rejects if the drawing fails or takes too long. */
  draw(picture: Picture): Promise<Uint8Array>
  close(): Promise<void>
}

interface Waiting {
  resolve(png: Uint8Array): void
  reject(error: Error): void
}

/**
 * Draws charts and graphs in a separate thread, because loading the library and computing a layout would block the event loop for some tenths of a
 * second. The thread starts with the first drawing. After a failure, the next drawing starts a new one.
 */
export function createChartDrawer({ timeLimitMs = CHART_LIMITS.drawMs }: { readonly timeLimitMs?: number } = {}): ChartDrawer {
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
  readonly #worker = new Worker(compiledEntry('charts/thread'), { resourceLimits: CHART_LIMITS.threadMemory })
  readonly #waiting = new Map<number, Waiting>()
  #drawings = 0
  #idle: NodeJS.Timeout | undefined
  isOver = false

  constructor() {
    // The thread must not keep the process running.
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
      if (this.#waiting.size === 0)
        this.#idle = setTimeout(() => void this.end('no chart was wanted'), CHART_LIMITS.idleMs).unref()
    }
  }

  /** Ends the thread. All drawings in progress then fail. */
  async end(reason: string): Promise<void> {
    this.isOver = true
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.values()) reject(new Error(reason))
    await this.#worker.terminate()
  }
}
