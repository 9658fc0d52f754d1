/** Runs work of one key in the order of the calls. Work of different keys runs in parallel. */
export class KeyedSequence {
  readonly #latest = new Map<string, Promise<unknown>>()

  /**
   * Runs `work` after the earlier work of the same key, and settles as `work` does. If `work` fails, the next work of the key still runs.
   */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = (this.#latest.get(key) ?? Promise.resolve()).then(work, work)
    this.#latest.set(key, own)
    try {
      return await own
    } finally {
      if (this.#latest.get(key) === own) this.#latest.delete(key)
    }
  }
}
