/**
 * Counts the threads that only wait, for example for a replay of up to half an hour. For each of them, the worker runs one more
 * thread of the same asker, and one more of others.
 */
export class WaitingSlots {
  #count = 0
  #onChange: (count: number) => void = () => undefined

  /** Sets the function to call when the count changes. A second call of `listen` replaces the function. */
  listen(onChange: (count: number) => void): void {
    this.#onChange = onChange
  }

  /** Gives the caller's slot to another thread until `wait` settles. */
  async during<T>(wait: Promise<T>): Promise<T> {
    this.#change(1)
    try {
      return await wait
    } finally {
      this.#change(-1)
    }
  }

  #change(by: number): void {
    this.#count += by
    this.#onChange(this.#count)
  }
}
