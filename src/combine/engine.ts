import { ConstantBackoff, handleWhen, retry } from 'cockatiel'
import { ClewError, ConfigurationError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { CLICKHOUSE_LIMITS } from '../clickhouse/limits.ts'
import { openUncheckedWarehouse } from '../clickhouse/open-warehouse.ts'
import { WarehouseError } from '../warehouse/error.ts'
import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { answerTerminals, type CombineOutcome, refusedTerminals } from './answer-terminals.ts'
import { COMBINE_LIMITS } from './limits.ts'
import { loadInput, type ScanResult } from './load-input.ts'
import type { NodeId, Plan } from './plan.ts'
import { type PreparedRun, prepareRun } from './prepare-run.ts'

/** Thrown when results of several sources cannot be combined at all, because this platform has no engine for it. */
export class CombineError extends ClewError {
  constructor(cause: unknown) {
    const message = 'Results of several sources cannot be combined here, because the embedded engine does not start.'
    super(message, { code: 'no_engine', cause })
  }
}

export interface CombineEngineDeps {
  /** Starts an engine that nobody else uses, such as `openPrivateEngine`. It ends when it is closed. */
  readonly open: (logger: Logger) => Promise<Warehouse>
  readonly logger: Logger
  /** Returns a new random id of letters and digits. */
  readonly newId: () => string
}

const { anew } = COMBINE_LIMITS.engine
const LOADED_ANEW = retry(handleWhen(isEngineGone), { maxAttempts: anew.attempts, backoff: new ConstantBackoff(anew.waitMs) })

/** Starts the private engine in which results are combined. */
export function openPrivateEngine(logger: Logger): Promise<Warehouse> {
  const { maxBytes, timeoutMs } = COMBINE_LIMITS.engine
  const options = { url: 'chdb:memory', database: 'default', maxBytes, timeoutMs, logger }
  return openUncheckedWarehouse(options, AbortSignal.timeout(CLICKHOUSE_LIMITS.engine.startTimeoutMs))
}

/**
 * Combines results of several sources in an engine of its own, in a process of its own. It starts with the first use. Only SQL that
 * this program compiled runs there, as the read-only user. Each run has a database in memory, which is dropped at its end. No row
 * goes to a server of a source.
 */
export class CombineEngine {
  readonly #deps: CombineEngineDeps
  #opening: Promise<Warehouse> | undefined
  /** The databases of finished runs. A later run drops those that are still there. */
  readonly #finished = new Set<string>()

  constructor(deps: CombineEngineDeps) {
    this.#deps = deps
  }

  /**
   * Starts the engine, so that it is there when the first results are. A start takes up to a second.
   * @throws CombineError `no_engine` if this platform has no engine
   */
  async start(): Promise<void> {
    await this.#warehouse()
  }

  /**
   * Calculates what the plan answers beside its scans: one outcome for each terminal. If the engine dies, starts it again and loads
   * everything anew, at most twice.
   * @param run.results those of the scans
   * @throws CombineError `no_engine` if this platform has no engine
   * @throws WarehouseError if the engine is gone again, or `signal` aborts
   */
  async combine(
    { plan, results }: { readonly plan: Plan; readonly results: ReadonlyMap<NodeId, ScanResult> },
    signal: AbortSignal,
  ): Promise<readonly CombineOutcome[]> {
    const prepared = prepareRun(plan, results)
    if (prepared.inputs.length === 0) return refusedTerminals(prepared)
    return LOADED_ANEW.execute(({ attempt }) => {
      if (attempt > 0) this.#deps.logger.warn('the combining engine had ended; the run is loaded anew')
      return this.#run(prepared, signal)
    }, signal)
  }

  /** Stops the engine. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined)
    this.#opening = undefined
    await opened?.close()
  }

  async #run(prepared: PreparedRun, signal: AbortSignal): Promise<readonly CombineOutcome[]> {
    const warehouse = await this.#warehouse()
    const database = `run_${this.#deps.newId().replace(/\W/g, '')}`
    const { scale } = prepared
    await warehouse.write({ sql: `CREATE DATABASE ${quoteIdentifier(database)} ENGINE = Memory` }, signal)
    try {
      await Promise.all(prepared.inputs.map(input => loadInput(warehouse, input, { database, scale }, signal)))
      return await answerTerminals({ warehouse, database, prepared, signal })
    } finally {
      this.#finished.add(database)
      for (const each of this.#finished) await this.#drop(warehouse, each)
    }
  }

  #warehouse(): Promise<Warehouse> {
    // Several runs may wait for the same start, so none of their signals ends it. It takes up to a second.
    this.#opening ??= this.#deps.open(this.#deps.logger).catch((error: unknown) => {
      this.#opening = undefined
      throw error instanceof ConfigurationError ? new CombineError(error) : error
    })
    return this.#opening
  }

  async #drop(warehouse: Warehouse, database: string): Promise<void> {
    try {
      const sql = `DROP DATABASE IF EXISTS ${quoteIdentifier(database)}`
      await warehouse.write({ sql }, AbortSignal.timeout(COMBINE_LIMITS.engine.dropMs))
      this.#finished.delete(database)
    } catch (error) {
      this.#deps.logger.warn({ err: error, database }, 'the tables of a run could not be dropped; they are dropped later')
    }
  }
}

/** Whether the engine died, or another one without this run's tables has taken its place. */
function isEngineGone(error: unknown): boolean {
  return error instanceof WarehouseError && (error.kind === 'unavailable' || error.kind === 'unknown_name')
}
