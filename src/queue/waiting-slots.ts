/** Counts the worker's slots whose threads only wait, e.g. up to half an hour for a replay. The worker runs as many other threads meanwhile. */
export class WaitingSlots {
  #count = 0
  #onChange: (count: number) => void = () => undefined

  /** Sets the only listener. */
  listen(onChange: (count: number) => void): void {
    this.#onChange = onChange
  }

  /** Lends the caller's slot while it waits. */
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
