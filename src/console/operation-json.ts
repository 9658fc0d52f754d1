import type { AuditLine } from '../audit/line.ts'
import type { ProcessReport } from '../queue/process-reports.ts'
import type { Cap } from '../queue/usage/cap.ts'
import type { UsageRow } from '../queue/usage/report.ts'
import type { QueueFigures } from '../telemetry/metrics.ts'

/** `GET /console/api/operation`: the state of this moment. Times are Unix times in milliseconds. */
export interface OperationJson {
  readonly at: number
  /** The figures that the metrics serve too. */
  readonly queue: QueueFigures
  /** `is_silent`: the process has missed several reports, so it has died or cannot reach Redis. */
  readonly processes: readonly (ProcessReport & { readonly at: number; readonly is_silent: boolean })[]
  /** A process counts its errors of so many minutes. */
  readonly error_minutes: number
}

/** `GET /console/api/operation/usage?days&by`: what was used, by name and day. */
export interface UsageJson {
  readonly time_zone: string
  readonly days: readonly { readonly day: string; readonly used: number }[]
  /** The names that used the most of the measure, most first. `names` counts all. */
  readonly kinds: readonly {
    readonly kind: UsedBy
    readonly rows: readonly UsageRow[]
    readonly names: number
    readonly used: number
  }[]
  /** Each cap with the names that are nearest to it. */
  readonly caps: readonly (Omit<Cap, 'message'> & {
    readonly ends_at: number
    readonly nearest: readonly { readonly name: string; readonly used: number }[]
  })[]
}
export type UsedBy = 'person' | 'channel' | 'role' | 'model' | 'source'
export type UsedMeasure = 'cost' | 'questions' | 'tokens' | 'bytes'

/** `GET /console/api/operation/dead-letters`: the messages that were given up, the latest first. */
export interface DeadLettersJson {
  readonly letters: readonly {
    readonly id: string
    readonly at: number
    /** Null if the message cannot be read. It can then only be dropped. */
    readonly person: string | null
    readonly reason: string
  }[]
}

/** `GET /console/api/operation/audit?person&kind&from&to&cursor`: lines of the audit log, the newest first. */
export interface AuditJson {
  readonly lines: readonly AuditLine[]
  /** The cursor of the next page. Null if there are no more lines. */
  readonly next: string | null
  /** Where the lines are kept. */
  readonly kept_in: readonly string[]
}
