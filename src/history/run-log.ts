import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ClewError, errorMessage } from '../base/errors.ts'
import { asStep } from '../base/watched-work.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Observe } from '../telemetry/observation.ts'
import { failSpan, inSpan, spanAround } from '../telemetry/span.ts'
import { HISTORY_LIMITS } from './limits.ts'
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
} from './run-log-entry.ts'

/** Identifies a step of a run. The key is the same after a crash. */
export interface StepKey {
  readonly step: string
  /** The id of the data question, such as `Q1`. */
  readonly query?: string
  /** The number of the attempt within the step and data question. The first attempt is 1. */
  readonly attempt?: number
}

export interface StepTrace {
  usage(usage: StepUsage): void
  /**
   * Marks the step as failed. `sentence` describes the failure, and `kind` names it for metrics. The value of the step is still
   * stored.
   */
  failure(sentence: string, kind?: string): void
}

export interface RunLogDeps {
  readonly store: StateStore
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly traceRetentionSeconds?: number
  /** Told of each step that has ended. */
  readonly telemetry?: Observe | undefined
}

export type StepWork<T> = (trace: StepTrace) => Promise<T>

/** A separate log for steps that start before it is known whether the run needs them. */
export interface LogBranch {
  readonly log: RunLog
  /** Call this if the run needs the steps. All their entries then join the run's trace, even those that are added later. */
  keep(): Promise<void>
  /**
   * Call this if the run does not need the steps. All their entries then get this cause in `cancelled`, even those that are added
   * later.
   */
  drop(cause: string): Promise<void>
}

/**
 * The trace and checkpoints of one run. An entry is appended when its step ends, so steps may overlap. A resumed run gets the
 * values of finished steps, and does not repeat their calls.
 */
export class RunLog {
  readonly runId: string
  readonly #store: StateStore
  readonly #now: () => number
  readonly #traceRetentionS: number
  readonly #telemetry: RunLogDeps['telemetry']
  readonly #entries: RunLogEntry[]
  /** The stored results of steps that existed when the log was opened. */
  readonly #checkpoints: readonly Checkpoint[]
  /** In a branch, receives the entries instead of the trace, until the branch is kept or dropped. */
  readonly #hold: ((entry: RunLogEntry) => Promise<void>) | undefined

  /** The span of the run. One step often begins within another one, but all of them are steps of the run. */
  #span = spanAround()

  private constructor(
    runId: string,
    deps: RunLogDeps,
    { entries, checkpoints }: { readonly entries: RunLogEntry[]; readonly checkpoints: readonly Checkpoint[] },
    hold?: (entry: RunLogEntry) => Promise<void>,
  ) {
    this.runId = runId
    this.#store = deps.store
    this.#now = deps.now
    this.#traceRetentionS = deps.traceRetentionSeconds ?? HISTORY_LIMITS.traceSeconds
    this.#telemetry = deps.telemetry
    this.#entries = entries
    this.#checkpoints = checkpoints
    this.#hold = hold
  }

  /** Opens the log of a new or resumed run. An entry that cannot be parsed is skipped, so its step runs again. */
  static async open(runId: string, deps: RunLogDeps, signal: AbortSignal): Promise<RunLog> {
    const [entries, checkpoints] = await Promise.all([
      readRunLog(runId, deps.store, signal),
      readCheckpoints(runId, deps.store, signal),
    ])
    return new RunLog(runId, deps, { entries, checkpoints })
  }

  /** Deletes the results of finished steps, so that the run starts anew. */
  static async forget(runId: string, store: StateStore, signal: AbortSignal): Promise<void> {
    await store.delete(checkpointsKey(runId), signal)
  }

  /** Returns the run's entries. They include entries from before a crash. */
  entries(): readonly RunLogEntry[] {
    return this.#entries
  }

  /**
   * Runs one step. If the step has already finished before a crash, returns its stored value instead. If a step throws, the trace
   * shows the error, and there is no checkpoint.
   * @param input everything that the step depends on; a stored value is reused only for the same input
   * @param schema checks a stored value
   */
  async step<T>(
    key: StepKey,
    input: Readonly<Record<string, unknown>>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
    work: StepWork<T>,
  ): Promise<T> {
    const fingerprint = inputFingerprint(input)
    const finished = this.#finished(key, fingerprint, schema)
    if (finished !== undefined) return finished.value
    return this.#record({ ...key, fingerprint, inputKeys: Object.keys(input) }, signal, work, true)
  }

  /** Whether `step` would return a stored value instead of running the step. */
  isFinished(key: StepKey, input: Readonly<Record<string, unknown>>): boolean {
    return this.#finished(key, inputFingerprint(input), z.unknown()) !== undefined
  }

  /**
   * Opens a branch: a log for steps that the run may not need. Their results are stored at once. Their trace entries wait until
   * the branch is kept or dropped.
   */
  branch(): LogBranch {
    let held: RunLogEntry[] | undefined = []
    const keep = (entry: RunLogEntry) => this.#appendIfPossible(entry)
    let route = keep
    const log = new RunLog(
      this.runId,
      {
        store: this.#store,
        now: this.#now,
        traceRetentionSeconds: this.#traceRetentionS,
        telemetry: this.#telemetry,
      },
      { entries: this.#entries, checkpoints: this.#checkpoints },
      async entry => {
        if (held === undefined) await route(entry)
        else held.push(entry)
      },
    )
    log.#span = this.#span
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

  /** Runs a step and adds it to the trace, but does not store its result. A resumed run runs the step again. */
  async trace<T>(key: StepKey, input: Readonly<Record<string, unknown>>, signal: AbortSignal, work: StepWork<T>): Promise<T> {
    return this.#record({ ...key, fingerprint: inputFingerprint(input), inputKeys: Object.keys(input) }, signal, work, false)
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
    let failureKind: string | undefined
    const isCalledOff = () => signal.aborted && signal.reason instanceof NotNeededError
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
        failure: (sentence, kind = 'refused') => {
          failure = sentence
          failureKind = kind
          failSpan(kind)
        },
      }
      const attributes = { 'clew.step': key.step, 'clew.query': key.query, 'clew.attempt': key.attempt ?? 1 }
      value = await asStep(named, () => inSpan(named, { attributes, isCalledOff, parent: this.#span }, () => work(trace)))
    } catch (error) {
      const sentence = error instanceof ClewError ? `${error.code}: ${error.message}` : errorMessage(error)
      const isNeeded = !isCalledOff()
      this.#tell(key, this.#now() - started, isNeeded, error instanceof ClewError ? error.code : 'fault')
      const ended = isNeeded ? entry(sentence, {}) : entry(null, { cancelled: errorMessage(signal.reason) })
      // The run's signal may be the reason why the step stopped, so this write does not use it. If the write fails too, the
      // step's error is still thrown.
      await this.#appendIfPossible(ended)
      throw error
    }
    const finished = entry(failure, { value })
    this.#tell(key, finished.duration_ms, true, failureKind)
    // The two writes are independent, and each takes a round trip. So they run in parallel.
    await Promise.all([
      checkpointed ? this.#checkpoint({ ...finished, value }, signal) : undefined,
      this.#append(finished, signal),
    ])
    return value
  }

  #tell({ step, query, attempt = 1 }: StepKey, durationMs: number, isNeeded: boolean, error?: string): void {
    this.#telemetry?.({ kind: 'step', step, ...(query && { query }), attempt, durationMs, isNeeded, ...(error && { error }) })
  }

  /** Deletes the results of a run that has finished and will never resume. The trace stays. */
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
    const isLarge = isLonger(value, HISTORY_LIMITS.plainCharacters)
    const packed = isLarge ? await packJson(value) : undefined
    if (isLarge && packed === undefined) return
    const text = JSON.stringify({
      step,
      query,
      attempt,
      fingerprint,
      ...(isLarge ? { packed } : { value }),
    } satisfies StoredCheckpoint)
    await this.#store.append(checkpointsKey(this.runId), text, HISTORY_LIMITS.resumableSeconds, signal)
  }

  /** Appends an entry to the trace. Nothing depends on the entry, so the run continues even if the store is unavailable. */
  async #appendIfPossible(entry: RunLogEntry): Promise<void> {
    await this.#append(entry, AbortSignal.timeout(HISTORY_LIMITS.traceMs)).catch(() => undefined)
  }

  async #append(entry: RunLogEntry, signal: AbortSignal): Promise<void> {
    if (this.#hold !== undefined) return this.#hold(entry)
    this.#entries.push(entry)
    await this.#store.append(traceKey(this.runId), JSON.stringify(entry), this.#traceRetentionS, signal)
  }
}

function inputFingerprint(input: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16)
}

/**
 * Whether a value's JSON is longer than `most` characters. A cheap estimate that is sometimes too low, so the JSON may be longer
 * even if this is false.
 */
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
