/** Counts the worker's threads that only wait, such as up to half an hour for a replay. For each waiting thread, the worker runs one more. */
export class WaitingSlots {
  #count = 0
  #onChange: (count: number) => void = () => undefined

  /** Sets the function that is called when the count changes. A second call replaces the function. */
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
