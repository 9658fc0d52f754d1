import type { DirectRows } from '../agent/direct-reads.ts'
import type { RunResult, StepReport } from '../agent/run/result.ts'
import type { ListedLine } from './run-mirror.ts'
import type { stepOf } from './run-step.ts'

/** A run as the list shows it. What the viewer may not see is null, and `hidden` is then true. */
export type RunLine = Omit<ListedLine, 'run' | 'isOpen' | 'rights'> & { readonly hidden: boolean }

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

/** A step of a run. Its `id` is unique in the run. */
export type RunStepJson = ReturnType<typeof stepOf> & { readonly id: string }

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
