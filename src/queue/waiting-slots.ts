/**
 * Counts the slots of a worker whose threads only wait, e.g. up to half an hour for a replay. For each of them, the worker runs another
 * thread meanwhile.
 */
export class WaitingSlots {
  #count = 0
  #onChange: (count: number) => void = () => undefined

  /** Sets the function to call when the count changes. A second call replaces it. */
  listen(onChange: (count: number) => void): void {
    this.#onChange = onChange
  }

  /** Lends the caller's slot to another thread until the wait ends. */
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
