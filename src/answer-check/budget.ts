/** Limits the work for one sentence to some milliseconds. Once it is spent, a figure without support is refused. */
export class Budget {
  #left: number

  constructor(tries: number) {
    this.#left = tries
  }

  get isSpent(): boolean {
    return this.#left <= 0
  }

  take(tries: number): void {
    this.#left -= tries
  }
}
