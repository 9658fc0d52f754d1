import { createHash } from 'node:crypto'
import { z } from 'zod'
import { ClewError, errorMessage } from '../errors.ts'
import type { StateStore } from '../store/state-store.ts'

/** How long a run's log is kept. */
const RETENTION_S = 7 * 24 * 3600
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
  value: z.unknown().optional(),
})

/** One stage of a run, as traced and, when it finished, as checkpointed: `value` is what it returned. */
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

export type StepWork<T> = (trace: StepTrace) => Promise<T>

/**
 * The log of one run: trace and checkpoints in one append-only list. Entries are appended as each call finishes, so that
 * steps may overlap; a resumed run is handed the values of finished entries instead of making their calls again.
 */
export class RunLog {
  readonly runId: string
  readonly #store: StateStore
  readonly #now: () => number
  readonly #entries: RunLogEntry[]

  private constructor(runId: string, store: StateStore, now: () => number, entries: RunLogEntry[]) {
    this.runId = runId
    this.#store = store
    this.#now = now
    this.#entries = entries
  }

  /** Opens the log of a run, new or resumed. Entries that cannot be read are passed over: their steps run again. */
  static async open(
    runId: string,
    deps: { readonly store: StateStore; readonly now: () => number },
    signal: AbortSignal,
  ): Promise<RunLog> {
    return new RunLog(runId, deps.store, deps.now, await readRunLog(runId, deps.store, signal))
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
      ...(checkpointed ? outcome : {}),
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
    await this.#append(entry(failure, { value }), signal)
    return value
  }

  #finished<T>(key: StepKey, fingerprint: string, schema: z.ZodType<T>): { readonly value: T } | undefined {
    for (const entry of this.#entries) {
      const same = entry.step === key.step && entry.query === key.query && entry.attempt === (key.attempt ?? 1)
      if (!same || entry.fingerprint !== fingerprint || entry.value === undefined) continue
      const parsed = schema.safeParse(entry.value)
      if (parsed.success) return { value: parsed.data }
    }
    return undefined
  }

  async #append(entry: RunLogEntry, signal: AbortSignal): Promise<void> {
    this.#entries.push(entry)
    const whole = JSON.stringify(entry)
    const text = whole.length <= VALUE_CHARACTERS ? whole : JSON.stringify({ ...entry, value: undefined })
    await this.#store.append(keyOf(this.runId), text, RETENTION_S, signal)
  }
}

/** The stored log of a run, for `clew trace`; empty for an unknown run. */
export async function readRunLog(runId: string, store: StateStore, signal: AbortSignal): Promise<RunLogEntry[]> {
  const texts = await store.list(keyOf(runId), signal)
  return texts.flatMap(text => {
    const parsed = entrySchema.safeParse(parseJson(text))
    return parsed.success ? [parsed.data] : []
  })
}

function keyOf(runId: string): string {
  return `run:{${runId}}:log`
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
