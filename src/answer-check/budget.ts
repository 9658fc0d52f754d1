/** Limits the work for one sentence to some milliseconds. Once the budget is spent, a figure that is not yet supported is refused. */
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
