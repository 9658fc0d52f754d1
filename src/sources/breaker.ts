import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { WarehouseError } from '../warehouse/error.ts'
import { SOURCE_LIMITS } from './limits.ts'
import type { BreakerState, OpenedSource } from './source.ts'

const STATES = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
} as const satisfies Record<CircuitState, BreakerState>

/**
 * Spares a source that cannot be reached, and people who would wait for it. After five failed connections in a row, calls fail at
 * once. After 30 seconds, one call tries the source again.
 */
export class SourceBreaker {
  readonly #source: string
  readonly #policy = circuitBreaker(handleWhen(isConnectionFailure), {
    halfOpenAfter: SOURCE_LIMITS.breaker.openMs,
    breaker: new ConsecutiveBreaker(SOURCE_LIMITS.breaker.failures),
  })

  /** @param source the id of the source, for messages */
  constructor(source: string) {
    this.#source = source
  }

  get state(): BreakerState {
    return STATES[this.#policy.state]
  }

  /**
   * Runs work that asks the source.
   * @throws WarehouseError of kind `unavailable` at once if the breaker is open
   * @throws the error of the work
   */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.state === 'half_open') throw this.#refusal()
    const outcome = await this.#policy
      .execute(() => outcomeOf(work))
      .catch((error: unknown) => {
        throw error instanceof BrokenCircuitError ? this.#refusal() : error
      })
    if (outcome.ok) return outcome.value
    throw outcome.error
  }

  #refusal(): WarehouseError {
    const seconds = SOURCE_LIMITS.breaker.openMs / 1000
    const message = `The data source ${this.#source} cannot be reached. Clew asks it again ${seconds} seconds after it last failed.`
    return new WarehouseError(message, { kind: 'unavailable' })
  }
}

/** Returns the parts of a source, which then ask it through its breaker. */
export function throughBreaker(
  breaker: SourceBreaker,
  { warehouse, guard, schemaSource }: Pick<OpenedSource, 'warehouse' | 'guard' | 'schemaSource'>,
): Pick<OpenedSource, 'warehouse' | 'guard' | 'schemaSource'> {
  const { find, withStatistics } = schemaSource
  return {
    warehouse: {
      description: warehouse.description,
      read: (query, signal) => breaker.run(() => warehouse.read(query, signal)),
    },
    guard: { check: (sql, scope, signal) => breaker.run(() => guard.check(sql, scope, signal)) },
    schemaSource: {
      load: signal => breaker.run(() => schemaSource.load(signal)),
      refresh: signal => breaker.run(() => schemaSource.refresh(signal)),
      ...(find && { find: find.bind(schemaSource) }),
      ...(withStatistics && {
        withStatistics: (tables, signal) => breaker.run(() => withStatistics.call(schemaSource, tables, signal)),
      }),
    },
  }
}

type Outcome<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown }

/**
 * Makes a value of an error that shows that the source answers, so that the breaker counts it as a success. A cancelled call says
 * nothing of the source, so its error is thrown, and the breaker does not count it.
 */
async function outcomeOf<Value>(work: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    if (!(error instanceof WarehouseError) || error.kind === 'cancelled' || isConnectionFailure(error)) throw error
    return { ok: false, error }
  }
}

/** A server that is only busy answers with a code of its own. */
function isConnectionFailure(error: unknown): boolean {
  return error instanceof WarehouseError && error.kind === 'unavailable' && error.serverCode === undefined
}
