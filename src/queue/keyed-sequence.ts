/** Runs work of one key in the order of the calls, and work of different keys in parallel. */
export class KeyedSequence {
  readonly #latest = new Map<string, Promise<unknown>>()

  /** Settles like `work`. A failure does not stop the next call. */
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
