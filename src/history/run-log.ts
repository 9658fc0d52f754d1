import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ClewError, errorMessage } from '../errors.ts'
import type { StateStore } from '../store/state-store.ts'
import { asStep } from '../watched-work.ts'
import { NotNeededError } from './not-needed-error.ts'
import { packJson } from './packed-json.ts'
import {
  type Checkpoint,
  checkpointsKey,
  type RunLogEntry,
  readCheckpoints,
  readRunLog,
  type StepUsage,
  type StoredCheckpoint,
  traceKey,
  VALUE_CHARACTERS,
} from './run-log-entry.ts'

/** How long a run's trace is kept, unless told otherwise. */
const TRACE_RETENTION_S = 7 * 24 * 3600
/** How long a run can be resumed. Values hold results, and are a hundred times the trace. */
const VALUE_RETENTION_S = 24 * 3600
/** A value with more characters is stored compressed. Only query results come near. */
const PLAIN_CHARACTERS = 100_000
const TRACE_TIMEOUT_MS = 2_000

/** What makes a stage of a run the same one after a crash. */
export interface StepKey {
  readonly step: string
  /** The data question it is for, `Q1`. */
  readonly query?: string
  /** Counts from 1 within the step and query. */
  readonly attempt?: number
}

/** What a stage tells its trace beside its value. */
export interface StepTrace {
  usage(usage: StepUsage): void
  /** The value it returns is a failure, in one sentence; it is checkpointed like any value. */
  failure(sentence: string): void
}

export interface RunLogDeps {
  readonly store: StateStore
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly traceRetentionSeconds?: number
}

export type StepWork<T> = (trace: StepTrace) => Promise<T>

/** The log as steps see it that are begun before it is known whether they are needed. */
export interface LogBranch {
  readonly log: RunLog
  /** They are needed: their entries are the run's, and so are those to come. */
  keep(): Promise<void>
  /** They are not: their entries, and those to come, say why they counted for nothing. */
  drop(cause: string): Promise<void>
}

/**
 * The log of one run: trace and checkpoints in one append-only list. Entries are appended as each call finishes, so that
 * steps may overlap; a resumed run is handed the values of finished entries instead of making their calls again.
 */
export class RunLog {
  readonly runId: string
  readonly #store: StateStore
  readonly #now: () => number
  readonly #traceRetentionS: number
  readonly #entries: RunLogEntry[]
  /** Of earlier lives of the run. */
  readonly #checkpoints: readonly Checkpoint[]
  /** Takes the entries of a branch, which has no trace of its own. */
  readonly #hold: ((entry: RunLogEntry) => Promise<void>) | undefined

  private constructor(
    runId: string,
    deps: RunLogDeps,
    { entries, checkpoints }: { readonly entries: RunLogEntry[]; readonly checkpoints: readonly Checkpoint[] },
    hold?: (entry: RunLogEntry) => Promise<void>,
  ) {
    this.runId = runId
    this.#store = deps.store
    this.#now = deps.now
    this.#traceRetentionS = deps.traceRetentionSeconds ?? TRACE_RETENTION_S
    this.#entries = entries
    this.#checkpoints = checkpoints
    this.#hold = hold
  }

  /** Opens the log of a run, new or resumed. What cannot be read is passed over: its steps run again. */
  static async open(runId: string, deps: RunLogDeps, signal: AbortSignal): Promise<RunLog> {
    const [entries, checkpoints] = await Promise.all([
      readRunLog(runId, deps.store, signal),
      readCheckpoints(runId, deps.store, signal),
    ])
    return new RunLog(runId, deps, { entries, checkpoints })
  }

  /** Drops what the steps of a run have returned: it begins anew. */
  static async forget(runId: string, store: StateStore, signal: AbortSignal): Promise<void> {
    await store.delete(checkpointsKey(runId), signal)
  }

  /** Every entry so far, those of earlier lives of the run included. */
  entries(): readonly RunLogEntry[] {
    return this.#entries
  }

  /**
   * Runs one stage, or returns what it returned before a crash. A stage that throws is traced with its error and not checkpointed.
   * @param input what the stage depends on; decides whether an earlier entry is the same call
   * @param schema of the value, checked when it is read back
   */
  async step<T>(
    key: StepKey,
    input: Readonly<Record<string, unknown>>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
    work: StepWork<T>,
  ): Promise<T> {
    const fingerprint = fingerprintOf(input)
    const finished = this.#finished(key, fingerprint, schema)
    if (finished !== undefined) return finished.value
    return this.#record({ ...key, fingerprint, inputKeys: Object.keys(input) }, signal, work, true)
  }

  /** Whether `step` would return what was finished before a crash. */
  isFinished(key: StepKey, input: Readonly<Record<string, unknown>>): boolean {
    return this.#finished(key, fingerprintOf(input), z.unknown()) !== undefined
  }

  /** What its steps return is checkpointed at once; their entries wait for what becomes of it. */
  branch(): LogBranch {
    let held: RunLogEntry[] | undefined = []
    const keep = (entry: RunLogEntry) => this.#appendIfPossible(entry)
    let route = keep
    const log = new RunLog(
      this.runId,
      { store: this.#store, now: this.#now, traceRetentionSeconds: this.#traceRetentionS },
      { entries: this.#entries, checkpoints: this.#checkpoints },
      async entry => {
        if (held === undefined) await route(entry)
        else held.push(entry)
      },
    )
    const settle = async (how: typeof route) => {
      const entries = held ?? []
      route = how
      held = undefined
      for (const entry of entries) await route(entry)
    }
    return {
      log,
      keep: () => settle(keep),
      drop: cause => settle(({ cancelled = cause, ...entry }) => keep({ ...entry, cancelled })),
    }
  }

  /** Runs one stage that is traced but not checkpointed: on resume it runs again. */
  async trace<T>(key: StepKey, input: Readonly<Record<string, unknown>>, signal: AbortSignal, work: StepWork<T>): Promise<T> {
    return this.#record({ ...key, fingerprint: fingerprintOf(input), inputKeys: Object.keys(input) }, signal, work, false)
  }

  async #record<T>(
    key: StepKey & { readonly fingerprint: string; readonly inputKeys: string[] },
    signal: AbortSignal,
    work: StepWork<T>,
    checkpointed: boolean,
  ): Promise<T> {
    signal.throwIfAborted()
    const started = this.#now()
    let usage: StepUsage | undefined
    let failure: string | null = null
    const entry = (error: string | null, outcome: { readonly value?: T; readonly cancelled?: string }): RunLogEntry => ({
      step: key.step,
      ...(key.query === undefined ? {} : { query: key.query }),
      attempt: key.attempt ?? 1,
      fingerprint: key.fingerprint,
      started_at: new Date(started).toISOString(),
      duration_ms: this.#now() - started,
      error,
      ...(outcome.cancelled === undefined ? {} : { cancelled: outcome.cancelled }),
      input_keys: key.inputKeys,
      output_keys: isRecord(outcome.value) ? Object.keys(outcome.value) : [],
      ...(usage === undefined ? {} : { usage }),
    })
    let value: T
    try {
      const named = key.query === undefined ? key.step : `${key.step} ${key.query}`
      const trace: StepTrace = {
        usage: used => {
          usage = used
        },
        failure: sentence => {
          failure = sentence
        },
      }
      value = await asStep(named, () => work(trace))
    } catch (error) {
      const sentence = error instanceof ClewError ? `${error.code}: ${error.message}` : errorMessage(error)
      const isNeeded = !(signal.aborted && signal.reason instanceof NotNeededError)
      const ended = isNeeded ? entry(sentence, {}) : entry(null, { cancelled: errorMessage(signal.reason) })
      // The run's own signal may be what ended the step; its trace is written all the same. If it cannot be, what went wrong first is what counts.
      await this.#appendIfPossible(ended)
      throw error
    }
    const finished = entry(failure, { value })
    // Side by side: each takes a round trip, and neither needs the other.
    await Promise.all([
      checkpointed ? this.#checkpoint({ ...finished, value }, signal) : undefined,
      this.#append(finished, signal),
    ])
    return value
  }

  /** The run is over and needs no resuming: what its steps returned is dropped, the trace stays. */
  async close(signal: AbortSignal): Promise<void> {
    await RunLog.forget(this.runId, this.#store, signal)
  }

  #finished<T>(key: StepKey, fingerprint: string, schema: z.ZodType<T>): { readonly value: T } | undefined {
    for (const checkpoint of this.#checkpoints) {
      const { step, query, attempt } = checkpoint
      const same =
        step === key.step && query === key.query && attempt === (key.attempt ?? 1) && checkpoint.fingerprint === fingerprint
      const parsed = same ? schema.safeParse(checkpoint.value) : undefined
      if (parsed?.success) return { value: parsed.data }
    }
    return undefined
  }

  async #checkpoint(finished: Checkpoint, signal: AbortSignal): Promise<void> {
    const { step, query, attempt, fingerprint, value } = finished
    const isLarge = isLonger(value, PLAIN_CHARACTERS)
    const packed = isLarge ? await packJson(value, VALUE_CHARACTERS) : undefined
    if (isLarge && packed === undefined) return
    const text = JSON.stringify({
      step,
      query,
      attempt,
      fingerprint,
      ...(isLarge ? { packed } : { value }),
    } satisfies StoredCheckpoint)
    await this.#store.append(checkpointsKey(this.runId), text, VALUE_RETENTION_S, signal)
  }

  /** Where nothing depends on it: with a store that is away for a moment it is late, and the run goes on. */
  async #appendIfPossible(entry: RunLogEntry): Promise<void> {
    await this.#append(entry, AbortSignal.timeout(TRACE_TIMEOUT_MS)).catch(() => undefined)
  }

  async #append(entry: RunLogEntry, signal: AbortSignal): Promise<void> {
    if (this.#hold !== undefined) return this.#hold(entry)
    this.#entries.push(entry)
    await this.#store.append(traceKey(this.runId), JSON.stringify(entry), this.#traceRetentionS, signal)
  }
}

function fingerprintOf(input: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16)
}

/** Whether the JSON of a value has more characters than this, without writing it: a true answer is certain, a false one is not. */
function isLonger(value: unknown, most: number): boolean {
  let characters = 0
  const hasRoom = (part: unknown): boolean => {
    characters += typeof part === 'string' ? part.length + 2 : 1
    if (typeof part === 'object' && part !== null) return Object.values(part).every(hasRoom)
    return characters <= most
  }
  return !hasRoom(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
