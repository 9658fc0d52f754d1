/** The tokens spent on one answer. `estimated` if the endpoint did not report all of them. */
export interface ModelSpending {
  /** The model of the last answer, as the endpoint names it. */
  readonly model: string
  /** The last temperature sent, if any. */
  readonly temperature: number | undefined
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}

/**
 * Counts the requests and tokens of one answer of a step. Both the client's retries and the repair turn draw on it, so that they do not multiply.
 * Requests that only discover an endpoint's capabilities do not count.
 */
export class AnswerBudget {
  #failures = 0
  #isRepeated = false
  #spending: ModelSpending | undefined

  /** Counts a transient failure. @returns the failures so far */
  countFailure(): number {
    this.#failures += 1
    return this.#failures
  }

  /** Claims the single repeat after a useless answer: silent, empty, cut off or malformed. @returns false if it is used up */
  takeRepeat(): boolean {
    const isLeft = !this.#isRepeated
    this.#isRepeated = true
    return isLeft
  }

  add(spending: ModelSpending): void {
    const { inputTokens = 0, outputTokens = 0, estimated = false } = this.#spending ?? {}
    this.#spending = {
      ...spending,
      inputTokens: inputTokens + spending.inputTokens,
      outputTokens: outputTokens + spending.outputTokens,
      estimated: estimated || spending.estimated,
    }
  }

  /** Undefined if no request reached a model. Complete once the call has ended, even by failure or cancellation. */
  get spending(): ModelSpending | undefined {
    return this.#spending
  }
}
