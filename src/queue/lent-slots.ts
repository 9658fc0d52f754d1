/**
 * How many of a worker's slots are held by threads that only wait for something that goes on elsewhere, as a replay, for up to half an hour: so many others may be
 * taken meanwhile.
 */
export class LentSlots {
  #count = 0
  #onChange: (count: number) => void = () => undefined

  /** Hears of each change; one listener. */
  listen(onChange: (count: number) => void): void {
    this.#onChange = onChange
  }

  /** Lends the slot of whoever waits. */
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
