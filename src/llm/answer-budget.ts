/** The tokens spent on one answer. `estimated` where the endpoint did not say all of it, and it was counted here. */
export interface ModelSpending {
  /** The model that answered last, as the endpoint names it. */
  readonly model: string
  /** As it was sent last; undefined where none was. */
  readonly temperature: number | undefined
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}

/**
 * The tokens that one answer of a step may take and has taken, whoever makes its requests. The client repeats what failed on the way, and the repair turn
 * sends a wrong
 * answer back: both take from here, so that neither multiplies the other. Requests by which an endpoint's abilities are learnt do not count.
 */
export class AnswerBudget {
  #failures = 0
  #isRepeated = false
  #spending: ModelSpending | undefined

  /** One more request has failed for a reason that passes. @returns how many have */
  countFailure(): number {
    this.#failures += 1
    return this.#failures
  }

  /** Asks for the one repeat after an answer that is of no use: silent, empty, cut off or of a wrong form. @returns false where it is spent */
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

  /** Undefined where no request has reached a model. Complete once the call has ended, whether in an answer, a failure or by being cancelled. */
  get spending(): ModelSpending | undefined {
    return this.#spending
  }
}
