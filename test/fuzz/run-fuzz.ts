import type { BreachKind, FuzzQuery, Oracle, Outcome } from './oracle.ts'
import { generateQuery } from './queries/generate-query.ts'
import { CaseMutator } from './queries/mutate-case.ts'
import { reduceQuery } from './reduce-query.ts'

export interface FuzzOptions {
  readonly seed: number
  /** The number of the first query in this run. */
  readonly first: number
  readonly queries: number
}

export interface FuzzDeps {
  readonly oracle: Pick<Oracle, 'judge'>
  /** Ends the engine's process, and starts another one on the same data. */
  restart(): Promise<void>
  /** The run stops soon after it has found this number of breaches. Default: it never stops for this reason. */
  readonly enoughBreaches?: number
  /** Called at intervals with the number of queries so far and their outcomes. */
  onProgress?(judged: number, tally: FuzzTally): void
}

export interface Breach {
  readonly index: number
  readonly kind: BreachKind
  readonly detail: string
  readonly sql: string
  readonly scope: string
  /** The shortest query that shows the same breach. */
  readonly reduced: string
}

/** A query that killed the engine, or that the engine did not end at its limits. */
export interface EngineFault {
  readonly index: number
  readonly fault: 'crash' | 'stuck'
  readonly sql: string
  readonly scope: string
}

export interface FuzzTally {
  readonly rejected: Map<string, number>
  readonly failed: Map<string, number>
  ran: number
  denied: number
}

export interface FuzzReport {
  readonly options: FuzzOptions
  readonly seconds: number
  readonly tally: FuzzTally
  readonly breaches: readonly Breach[]
  readonly faults: readonly EngineFault[]
}

/** The number of queries that run at the same time. */
const LANES = 4
const BATCH = 250
/** One query of this many is also compared with the engine's own report of the tables that it read. */
const COMPARED = 3
/** At most this many breaches are shortened. Further ones are reported as they were found. */
const MAX_REDUCED = 10

/** Runs random queries and judges the guard by them. The same options always give the same queries. */
export async function runFuzz(options: FuzzOptions, deps: FuzzDeps, signal: AbortSignal): Promise<FuzzReport> {
  const startedAt = performance.now()
  const run = new FuzzRun(options.seed, deps, signal)
  const end = options.first + options.queries
  for (let first = options.first; first < end && run.found < (deps.enoughBreaches ?? Infinity); first += BATCH) {
    await run.batch(Array.from({ length: Math.min(BATCH, end - first) }, (_, offset) => first + offset))
    deps.onProgress?.(Math.min(first + BATCH, end) - options.first, run.tally)
  }
  const breaches = await run.reduced()
  return { options, seconds: (performance.now() - startedAt) / 1000, tally: run.tally, breaches, faults: run.faults }
}

class FuzzRun {
  readonly tally: FuzzTally = { rejected: new Map(), failed: new Map(), ran: 0, denied: 0 }
  readonly faults: EngineFault[] = []
  readonly #breaches: { index: number; query: FuzzQuery; kind: BreachKind; detail: string }[] = []
  readonly #cases = CaseMutator.fromFiles()
  readonly #seed: number
  readonly #deps: FuzzDeps
  readonly #signal: AbortSignal

  constructor(seed: number, deps: FuzzDeps, signal: AbortSignal) {
    this.#seed = seed
    this.#deps = deps
    this.#signal = signal
  }

  get found(): number {
    return this.#breaches.length
  }

  /** Judges several queries at the same time. If the engine dies, repeats those that were in progress, one by one. */
  async batch(indexes: readonly number[]): Promise<void> {
    const waiting = [...indexes]
    while (waiting.length > 0) {
      const suspects: number[] = []
      const lane = async () => {
        while (suspects.length === 0) {
          const index = waiting.shift()
          if (index === undefined) return
          const outcome = await this.#judge(index)
          if (outcome === undefined) suspects.push(index)
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      if (suspects.length > 0) await this.#deps.restart()
      for (const index of suspects) await this.#judgeAlone(index)
    }
  }

  async #judgeAlone(index: number): Promise<void> {
    const query = this.#query(index)
    const outcome = await this.#deps.oracle.judge(query, { comparesTree: index % COMPARED === 0 }, this.#signal)
    if (outcome.outcome !== 'engine_lost' && outcome.outcome !== 'stuck') {
      this.#count(index, query, outcome)
      return
    }
    const fault = outcome.outcome === 'stuck' ? 'stuck' : 'crash'
    this.faults.push({ index, fault, sql: query.sql, scope: query.scope.role })
    await this.#deps.restart()
  }

  /** Judges one query. Returns undefined if it must be judged again. */
  async #judge(index: number): Promise<Outcome | undefined> {
    const query = this.#query(index)
    const outcome = await this.#deps.oracle.judge(query, { comparesTree: index % COMPARED === 0 }, this.#signal)
    if (outcome.outcome === 'engine_lost' || outcome.outcome === 'stuck') return undefined
    this.#count(index, query, outcome)
    return outcome
  }

  #query(index: number): FuzzQuery {
    return generateQuery(this.#seed, index, this.#cases)
  }

  #count(index: number, query: FuzzQuery, outcome: Outcome): void {
    const { tally } = this
    if (outcome.outcome === 'rejected') increment(tally.rejected, outcome.code)
    else if (outcome.outcome === 'failed') increment(tally.failed, outcome.code)
    else if (outcome.outcome === 'ran') tally.ran += 1
    else if (outcome.outcome === 'breach') {
      if (outcome.kind === 'denied') tally.denied += 1
      this.#breaches.push({ index, query, kind: outcome.kind, detail: outcome.detail })
    }
  }

  async reduced(): Promise<readonly Breach[]> {
    const found: Breach[] = []
    for (const [position, { index, query, kind, detail }] of this.#breaches.sort((a, b) => a.index - b.index).entries()) {
      const reduced = position < MAX_REDUCED ? await this.#reduce(query, kind) : query.sql
      found.push({ index, kind, detail, sql: query.sql, scope: query.scope.role, reduced })
    }
    return found
  }

  #reduce({ sql, scope }: FuzzQuery, kind: BreachKind): Promise<string> {
    return reduceQuery(sql, async candidate => {
      const outcome = await this.#deps.oracle.judge(
        { sql: candidate, scope },
        { comparesTree: kind === 'resolved_beyond_scope' },
        this.#signal,
      )
      if (outcome.outcome === 'engine_lost' || outcome.outcome === 'stuck') await this.#deps.restart()
      return outcome.outcome === 'breach' && outcome.kind === kind
    })
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
