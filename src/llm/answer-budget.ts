import { roundCost } from './prices.ts'

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
  /** Those of `inputTokens` that the endpoint had in its cache. Absent if it does not tell. */
  readonly cachedTokens?: number
  readonly outputTokens: number
  readonly estimated: boolean
  /** In US dollars. Absent if the price of some tokens is unknown. */
  readonly cost?: number
}

/** One HTTP request of an answer, as the log of a run has it. */
export interface SentRequest {
  /** `answered`, `cancelled`, or the reason why the request brought no answer. */
  readonly outcome: string
  readonly status?: number
  readonly duration_ms: number
  /** The pause before the client repeated the request. Absent if it did not. */
  readonly wait_ms?: number
}

/**
 * Counts the requests and tokens of one answer of a step. The client's retries and the repair of an answer share one budget, so
 * the limit on requests holds for both together. Refused requests, which only show what the endpoint accepts, are not counted.
 */
export class AnswerBudget {
  #failures = 0
  #isRepeated = false
  #spending: ModelSpending | undefined
  readonly #requests: SentRequest[] = []

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
    const { cost: _, cachedTokens: __, ...rest } = spending
    const cost = costOfBoth(this.#spending, spending)
    const cached = [this.#spending, spending].flatMap(each => each?.cachedTokens ?? [])
    this.#spending = {
      ...rest,
      inputTokens: inputTokens + spending.inputTokens,
      outputTokens: outputTokens + spending.outputTokens,
      estimated: estimated || spending.estimated,
      ...(cached.length > 0 && { cachedTokens: cached.reduce((sum, each) => sum + each) }),
      ...(cost !== undefined && { cost }),
    }
  }

  /** Remembers an HTTP request that has ended. */
  addRequest(request: SentRequest): void {
    this.#requests.push(request)
  }

  /** Remembers the pause after the last request. */
  addWait(wait_ms: number): void {
    const last = this.#requests.pop()
    if (last !== undefined) this.#requests.push({ ...last, wait_ms })
  }

  /** The HTTP requests so far, in their order. Empty for a model without HTTP. */
  get requests(): readonly SentRequest[] {
    return this.#requests
  }

  /**
   * The tokens used so far. Undefined if no request was sent. The numbers are complete once the call has ended, even
   * if it failed or was cancelled.
   */
  get spending(): ModelSpending | undefined {
    return this.#spending
  }
}

/** Adds two costs. The sum is unknown if the price of some tokens is unknown. */
function costOfBoth(one: ModelSpending | undefined, other: ModelSpending): number | undefined {
  const costs = [one, other]
    .filter(each => each !== undefined && each.inputTokens + each.outputTokens > 0)
    .map(each => each?.cost)
  if (costs.length === 0) return other.cost
  return costs.reduce((sum, each) => (sum === undefined || each === undefined ? undefined : roundCost(sum + each)), 0)
}
