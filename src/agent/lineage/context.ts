import type { TableGrant } from '../../access/table-grant.ts'
import type { LinkHost } from '../../base/link-hosts.ts'
import type { LineageSource } from '../../pipelines/lineage/source.ts'
import type { Language } from '../../words/language.ts'
import type { ModelContext, PersonContext } from '../run/context.ts'
import type { Replayer } from './replayer.ts'
import type { LineageToolboxDeps } from './toolbox.ts'

/** The parts and settings of all investigations of a process. */
export interface LineageDeps extends LineageToolboxDeps, Omit<ModelContext, 'log' | 'observe'> {
  readonly source: LineageSource
  readonly replayer: Replayer
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** For the investigation, without its replay and without the person's time. */
  readonly timeoutMs: number
  /** Allowed hosts for links in answers. */
  readonly linkHosts: readonly LinkHost[]
}

export interface LineageRequest {
  /** A pipeline's name, for its latest run, or a run's id. */
  readonly job: string
  readonly question: string
  /** Replay the job at once, without asking. */
  readonly isDeep: boolean
  /** Earlier findings in the thread, or an empty text. */
  readonly conversation: string
  /** ISO 8601. */
  readonly askedAt: string
  /** IANA name. */
  readonly timeZone: string
  /** For the program's own sentences. */
  readonly language: Language
  /** The asker's tables. Absent: all. */
  readonly grants?: readonly TableGrant[]
}

/** Everything that an investigation needs. A step takes only its part. */
export interface LineageContext extends LineageDeps, ModelContext, PersonContext {
  readonly request: LineageRequest
  /** See `Question`. */
  readonly messageRunId?: string
}
