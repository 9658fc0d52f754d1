import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ClewError, errorMessage } from '../errors.ts'
import type { StateStore } from '../store/state-store.ts'

/** How long a run's trace is kept, unless told otherwise. */
const TRACE_RETENTION_S = 7 * 24 * 3600
/** How long a run can be resumed. Values hold results, and are a hundred times the trace. */
const VALUE_RETENTION_S = 24 * 3600
/** A larger value is not stored; its step runs again on resume. Only query results come near. */
const VALUE_CHARACTERS = 1_000_000
const TRACE_TIMEOUT_MS = 2_000

const usageSchema = z.object({
  model: z.string(),
  tokens_in: z.number(),
  tokens_out: z.number(),
  temperature: z.number().optional(),
})

const entrySchema = z.object({
  step: z.string(),
  query: z.string().optional(),
  attempt: z.number(),
  /** Of the step's input: a finished entry stands for a call only if it was made for the same input. */
  fingerprint: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  error: z.string().nullable(),
  input_keys: z.array(z.string()),
  output_keys: z.array(z.string()),
  usage: usageSchema.optional(),
})

/** What a finished stage returned, under what makes it the same call. */
const checkpointSchema = entrySchema
  .pick({ step: true, query: true, attempt: true, fingerprint: true })
  .extend({ value: z.unknown() })
type Checkpoint = z.infer<typeof checkpointSchema>

/** One stage of a run, as traced. */
export type RunLogEntry = z.infer<typeof entrySchema>
export type StepUsage = z.infer<typeof usageSchema>

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

  private constructor(runId: string, deps: RunLogDeps, entries: RunLogEntry[], checkpoints: readonly Checkpoint[]) {
    this.runId = runId
    this.#store = deps.store
    this.#now = deps.now
    this.#traceRetentionS = deps.traceRetentionSeconds ?? TRACE_RETENTION_S
    this.#entries = entries
    this.#checkpoints = checkpoints
  }

  /** Opens the log of a run, new or resumed. What cannot be read is passed over: its steps run again. */
  static async open(runId: string, deps: RunLogDeps, signal: AbortSignal): Promise<RunLog> {
    const [entries, checkpoints] = await Promise.all([
      readRunLog(runId, deps.store, signal),
      readList(checkpointsKey(runId), checkpointSchema, deps.store, signal),
    ])
    return new RunLog(runId, deps, entries, checkpoints)
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
    const finished = this.#finished(key, fingerprintOf(input), schema)
    if (finished !== undefined) return finished.value
    return this.#record(key, input, signal, work, true)
  }

  /** Runs one stage that is traced but not checkpointed: on resume it runs again. */
  async trace<T>(key: StepKey, input: Readonly<Record<string, unknown>>, signal: AbortSignal, work: StepWork<T>): Promise<T> {
    return this.#record(key, input, signal, work, false)
  }

  async #record<T>(
    key: StepKey,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    work: StepWork<T>,
    checkpointed: boolean,
  ): Promise<T> {
    signal.throwIfAborted()
    const started = this.#now()
    let usage: StepUsage | undefined
    let failure: string | null = null
    const entry = (error: string | null, outcome: { readonly value?: T }): RunLogEntry => ({
      step: key.step,
      ...(key.query === undefined ? {} : { query: key.query }),
      attempt: key.attempt ?? 1,
      fingerprint: fingerprintOf(input),
      started_at: new Date(started).toISOString(),
      duration_ms: this.#now() - started,
      error,
      input_keys: Object.keys(input),
      output_keys: isRecord(outcome.value) ? Object.keys(outcome.value) : [],
      ...(usage === undefined ? {} : { usage }),
    })
    let value: T
    try {
      value = await work({
        usage: used => {
          usage = used
        },
        failure: sentence => {
          failure = sentence
        },
      })
    } catch (error) {
      const sentence = error instanceof ClewError ? `${error.code}: ${error.message}` : errorMessage(error)
      // The run's own signal may be what ended the step; its trace is written all the same. If it cannot be, what went wrong first is what counts.
      await this.#append(entry(sentence, {}), AbortSignal.timeout(TRACE_TIMEOUT_MS)).catch(() => undefined)
      throw error
    }
    const finished = entry(failure, { value })
    if (checkpointed) await this.#checkpoint({ ...finished, value }, signal)
    await this.#append(finished, signal)
    return value
  }

  /** The run is over and needs no resuming: what its steps returned is dropped, the trace stays. */
  async close(signal: AbortSignal): Promise<void> {
    await this.#store.delete(checkpointsKey(this.runId), signal)
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
    const text = JSON.stringify(checkpointSchema.parse(finished))
    if (text.length > VALUE_CHARACTERS) return
    await this.#store.append(checkpointsKey(this.runId), text, VALUE_RETENTION_S, signal)
  }

  async #append(entry: RunLogEntry, signal: AbortSignal): Promise<void> {
    this.#entries.push(entry)
    await this.#store.append(traceKey(this.runId), JSON.stringify(entry), this.#traceRetentionS, signal)
  }
}

/** The stored trace of a run, for `clew trace`; empty for an unknown run. */
export function readRunLog(runId: string, store: StateStore, signal: AbortSignal): Promise<RunLogEntry[]> {
  return readList(traceKey(runId), entrySchema, store, signal)
}

async function readList<T>(key: string, schema: z.ZodType<T>, store: StateStore, signal: AbortSignal): Promise<T[]> {
  const texts = await store.list(key, signal)
  return texts.flatMap(text => {
    const parsed = schema.safeParse(parseJson(text))
    return parsed.success ? [parsed.data] : []
  })
}

function traceKey(runId: string): string {
  return `run:{${runId}}:log`
}

function checkpointsKey(runId: string): string {
  return `run:{${runId}}:checkpoints`
}

function fingerprintOf(input: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 16)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
