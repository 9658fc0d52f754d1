import type { TableGrant } from '../../access/table-grant.ts'
import type { LinkHost } from '../../link-hosts.ts'
import type { LineageSource } from '../../pipelines/lineage/lineage-source.ts'
import type { Language } from '../../words/language.ts'
import type { AgentDeps, StepContext } from '../run-context.ts'
import type { LineageToolboxDeps } from './lineage-toolbox.ts'
import type { Replayer } from './replayer.ts'

/** The parts that an investigation works with; wired in `main-*`. */
export interface LineageDeps extends LineageToolboxDeps, Pick<AgentDeps, 'model' | 'prompts' | 'logger' | 'store' | 'now'> {
  readonly source: LineageSource
  readonly replayer: Replayer
  /** For the investigation without its replay and without waiting for people. */
  readonly timeoutMs: number
  /** Where links in answers may lead. */
  readonly linkHosts: readonly LinkHost[]
}

/** What somebody wants to know of a run. */
export interface LineageRequest {
  /** A pipeline's name, for its latest run, or a run's id. */
  readonly job: string
  readonly question: string
  /** The job is repeated at once, without asking. */
  readonly isDeep: boolean
  /** What was found before in the thread; empty at its start. */
  readonly conversation: string
  /** When it was asked, ISO 8601. */
  readonly askedAt: string
  /** IANA name. */
  readonly timeZone: string
  /** The program's own sentences are in it. */
  readonly language: Language
  /** What the asker may read; without them everything. */
  readonly grants?: readonly TableGrant[]
}

export interface LineageContext extends StepContext {
  readonly deps: LineageDeps
  readonly request: LineageRequest
  /** As in `Question`. */
  readonly messageRunId?: string
}
