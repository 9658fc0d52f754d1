/**
 * The tokens that one answer has used. `estimated` is true if some of the numbers are estimates, because the endpoint did not
 * report them.
 */
export interface ModelSpending {
  /** The model of the answer's last request, as the endpoint names it. */
  readonly model: string
  /** The temperature of the answer's last request. Undefined if that request set none. */
  readonly temperature: number | undefined
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}

/**
 * Counts the requests and tokens of one answer of a step. The client's retries and the repair of an answer share one budget, so
 * the limit on requests holds for both together. Refused requests, which only show what the endpoint accepts, are not counted.
 */
export class AnswerBudget {
  #failures = 0
  #isRepeated = false
  #spending: ModelSpending | undefined

  /**
   * Counts a transient failure.
   * @returns the number of failures so far
   */
  countFailure(): number {
    this.#failures += 1
    return this.#failures
  }

  /**
   * Claims the one repeat that is allowed after an empty, truncated, malformed or missing answer.
   * @returns false if it is used up
   */
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

  /**
   * The tokens used so far. Undefined if no request has reached a model. The numbers are complete once the call has ended, even
   * if it failed or was cancelled.
   */
  get spending(): ModelSpending | undefined {
    return this.#spending
  }
}
