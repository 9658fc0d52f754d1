import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { BASE_LIMITS } from './limits.ts'

/** `closed` passes calls on, `open` fails them at once, and `half_open` passes one on as a trial. */
export type BreakerState = 'closed' | 'open' | 'half_open'

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
} as const satisfies Record<CircuitState, BreakerState>

export interface BreakerOptions {
  /** The name of the part, as `/ready` shows it. */
  readonly name: string
  /** The part is left alone after this many failed calls in a row. */
  readonly failures: number
  /**
   * Judges the error of a call. `away`: the part did not answer. `answered`: the part works, although this call failed. `unknown`:
   * the error says nothing of the part, for example because the caller aborted.
   */
  readonly judge: (error: unknown) => 'away' | 'answered' | 'unknown'
  /**
   * Makes the error of a call that is refused.
   * @param waitMs the time until the part may be asked again
   */
  readonly refusal: (waitMs: number) => Error
}

/**
 * Spares a part that cannot be reached, and people who would wait for it. After some failed calls in a row, calls fail at once.
 * After 30 seconds, one call tries the part again.
 */
export class Breaker {
  readonly name: string
  readonly #options: BreakerOptions
  readonly #policy
  #openedAt = 0

  constructor(options: BreakerOptions) {
    this.name = options.name
    this.#options = options
    this.#policy = circuitBreaker(
      handleWhen(error => options.judge(error) === 'away'),
      { halfOpenAfter: BASE_LIMITS.breakerOpenMs, breaker: new ConsecutiveBreaker(options.failures) },
    )
    this.#policy.onBreak(() => {
      this.#openedAt = Date.now()
    })
  }

  get state(): BreakerState {
    return STATES[this.#policy.state]
  }

  /**
   * Runs work that asks the part.
   * @throws the refusal at once if the breaker is open
   * @throws the error of the work
   */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.state === 'half_open') throw this.#options.refusal(BASE_LIMITS.breakerTrialMs)
    const outcome = await this.#policy
      .execute(() => this.#outcomeOf(work))
      .catch((error: unknown) => {
        throw error instanceof BrokenCircuitError ? this.#options.refusal(this.#openMs()) : error
      })
    if (outcome.ok) return outcome.value
    throw outcome.error
  }

  /** Makes a value of an error with which the part has answered, so that the breaker counts the call as a success. */
  async #outcomeOf<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      if (this.#options.judge(error) !== 'answered') throw error
      return { ok: false, error }
    }
  }

  #openMs(): number {
    return Math.max(0, this.#openedAt + BASE_LIMITS.breakerOpenMs - Date.now())
  }
}

type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown }

/** The breakers of a process. */
export class Breakers {
  readonly #all: Breaker[] = []

  add(breaker: Breaker): void {
    this.#all.push(breaker)
  }

  states(): readonly { readonly name: string; readonly state: BreakerState }[] {
    return this.#all.map(({ name, state }) => ({ name, state }))
  }

  /** Returns the states by name, for the readiness of the process. An open breaker does not keep it from being ready. */
  checks(): Readonly<Record<string, () => BreakerState>> {
    return Object.fromEntries(this.#all.map(breaker => [breaker.name, () => breaker.state]))
  }
}
