import type { DirectRows } from '../agent/direct-reads.ts'
import type { RunResult, StepReport } from '../agent/run/result.ts'
import type { StepUsage } from '../history/run-log-entry.ts'
import type { StoredLine } from './run-line.ts'

/** A run as the list shows it. What the viewer may not see is null, and `hidden` is then true. */
export type RunLine = Omit<StoredLine, 'run' | 'isOpen' | 'rights'> & { readonly hidden: boolean }

/** `GET /console/api/runs`. */
export interface RunsJson {
  readonly runs: readonly RunLine[]
  /** What `before` takes for the next page. Null on the last page. */
  readonly next: string | null
  /** How many runs the filters find. */
  readonly total: number
  /** The values of all runs that the viewer sees, for the filters. */
  readonly people: readonly string[]
  readonly channels: readonly string[]
  readonly sources: readonly string[]
  /** What `since` takes. */
  readonly at: number
}

/** `GET /console/api/runs/changes?since=`: the runs that have begun or ended since. */
export interface RunChangesJson {
  readonly runs: readonly RunLine[]
  readonly at: number
}

/** A step of a run. Times are ISO 8601 and milliseconds. */
export interface RunStepJson {
  /** Unique in the run. */
  readonly id: string
  readonly step: string
  readonly query: string | null
  readonly attempt: number
  readonly started_at: string
  readonly ms: number
  readonly error: string | null
  /** Why a step that had started ahead of time was not needed. */
  readonly cancelled: string | null
  readonly model: string | null
  readonly tokens_in: number | null
  readonly tokens_out: number | null
  readonly tokens_cached: number | null
  readonly cost: number | null
  /** The HTTP requests to the model, in order. */
  readonly requests: NonNullable<StepUsage['requests']>
  /** The prompt and the reply of a model call. Null if they are not kept, or hidden. */
  readonly content: { readonly input: string; readonly output: string } | null
}

/** `GET /console/api/runs/:id`. */
export interface RunJson {
  readonly line: RunLine
  readonly steps: readonly RunStepJson[]
  /** What `clew ask --json` prints. Null before the end, without an answer, if it has expired, and if it is hidden. */
  readonly result: ShownResult | null
  readonly hidden: boolean
  /** The viewer's own verdict. */
  readonly feedback: { readonly helpful: boolean; readonly reason: string | null } | null
  /** Whether the viewer may run its SQL, ask it again and say whether it helped. */
  readonly may: { readonly rerun: boolean }
}

/** A result without what only the program needs. `chart` says whether `GET …/chart` has a picture. */
export type ShownResult = Omit<RunResult, 'chart' | 'steps'> & { readonly chart: boolean; readonly steps: readonly StepReport[] }

/** `POST …/queries/:query/run`. */
export type RerunJson = ({ readonly kind: 'read' } & DirectRows) | { readonly kind: 'refused'; readonly message: string }
