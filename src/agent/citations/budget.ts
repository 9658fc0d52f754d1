/** What may still be tried for one sentence, so that none costs more than some milliseconds. Used up, nothing more is found: a figure is then refused, not passed. */
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
