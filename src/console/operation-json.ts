import type { LatestLines } from '../audit/store.ts'
import type { ProcessReport } from '../queue/process-reports.ts'
import type { Cap } from '../queue/usage/cap.ts'
import type { Reported } from '../queue/usage/report.ts'
import type { QueueFigures } from '../telemetry/metrics.ts'

/** The state of this moment. Times are Unix times in milliseconds. */
export interface OperationJson {
  readonly at: number
  /** The figures that the metrics serve too. */
  readonly queue: QueueFigures
  /** `is_silent`: the process has missed several reports, so it has died or cannot reach Redis. */
  readonly processes: readonly (ProcessReport & { readonly at: number; readonly is_silent: boolean })[]
  readonly error_minutes: number
}

/** A name that has used something. */
export interface Used {
  readonly name: string
  readonly used: number
}

/** The use of some days, by one measure: `cost`, `questions`, `tokens` or `bytes`. */
export interface UsageJson {
  readonly by: string
  readonly time_zone: string
  readonly days: readonly Used[]
  /** The names that used the most, most first. `others` used less. */
  readonly kinds: readonly { readonly kind: Reported; readonly most: readonly Used[]; readonly others: number }[]
  /** Each cap with the names that are nearest to it. */
  readonly caps: readonly (Pick<Cap, 'per' | 'of' | 'window' | 'limit' | 'soft'> & { readonly nearest: readonly Used[] })[]
}

/** A message that was given up. `person` is null if the message cannot be read; it can then only be dropped. */
export interface LetterJson {
  readonly id: string
  readonly at: number
  readonly person: string | null
  readonly reason: string
}

/** Lines of the audit log, the newest first. `stores` says where lines are kept. */
export interface AuditJson extends LatestLines {
  readonly stores: readonly string[]
}
