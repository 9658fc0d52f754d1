import type { TableGrant } from '../../access/table-grant.ts'
import type { LinkHost } from '../../base/link-hosts.ts'
import type { LineageSource } from '../../pipelines/lineage/source.ts'
import type { Language } from '../../words/language.ts'
import type { AgentDeps, StepContext } from '../run/context.ts'
import type { Replayer } from './replayer.ts'
import type { LineageToolboxDeps } from './toolbox.ts'

export interface LineageDeps extends LineageToolboxDeps, Pick<AgentDeps, 'model' | 'prompts' | 'logger' | 'store' | 'now'> {
  readonly source: LineageSource
  readonly replayer: Replayer
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

export interface LineageContext extends StepContext {
  readonly deps: LineageDeps
  readonly request: LineageRequest
  /** See `Question`. */
  readonly messageRunId?: string
}
