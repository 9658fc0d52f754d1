/** Runs work of the same key one after another, in the order of the calls, and work of different keys side by side. */
export class KeyedSequence {
  readonly #latest = new Map<string, Promise<unknown>>()

  /** Resolves or rejects as `work` does; a failure does not keep what comes after it from running. */
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
