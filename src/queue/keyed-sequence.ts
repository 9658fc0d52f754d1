/**
 * Runs pieces of work. Pieces with the same key start in order, at most `most` at a time. Pieces with different keys run in
 * parallel.
 */
export class KeyedSequence {
  readonly #most: number
  readonly #lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>()

  constructor(most = 1) {
    this.#most = most
  }

  /**
   * Runs `work` as soon as fewer than `most` pieces with its key are running. Returns or throws the same as `work`. A failure
   * does not stop later pieces.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] }
    this.#lines.set(key, line)
    if (line.running < this.#most) line.running += 1
    else await new Promise<void>(resolve => line.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next === undefined) line.running -= 1
      next?.()
      if (line.running === 0) this.#lines.delete(key)
    }
  }
}
