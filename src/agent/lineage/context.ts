import type { TableGrant } from '../../access/table-grant.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import type { RunLogDeps } from '../../history/run-log.ts'
import type { LineageSource } from '../../pipelines/lineage/source.ts'
import type { Language } from '../../words/language.ts'
import type { ModelContext, PersonContext } from '../run/context.ts'
import type { Replayer } from './replayer.ts'
import type { LineageToolboxDeps } from './toolbox.ts'

/** The parts and settings that all investigations of a process share. */
export interface LineageDeps extends LineageToolboxDeps, Omit<ModelContext, 'log' | 'observe'> {
  readonly source: LineageSource
  readonly replayer: Replayer
  /** Told of each step that ends. */
  readonly telemetry?: RunLogDeps['telemetry']
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** The time limit of an investigation. The time of a replay, and the time in which the person thinks, are not counted. */
  readonly timeoutMs: number
  /** The hosts to which links in answers may lead. */
  readonly linkHosts: readonly LinkHost[]
}

export interface LineageRequest {
  /** The id of a run, or the name of a pipeline. A name means the pipeline's latest run. */
  readonly job: string
  readonly question: string
  /** Whether to replay the job at once, without asking the person. */
  readonly isDeep: boolean
  /** The earlier findings of the thread. Empty if there are none. */
  readonly conversation: string
  /** The time of the question, in ISO 8601. */
  readonly askedAt: string
  /** The IANA name of the asker's time zone. */
  readonly timeZone: string
  /** The language of the sentences that the program itself writes. */
  readonly language: Language
  /** The tables that the asker may see. If absent, the asker may see all tables. */
  readonly grants?: readonly TableGrant[]
}

/** Everything that an investigation needs. Each of its steps declares only the parts that it uses. */
export interface LineageContext extends LineageDeps, ModelContext, PersonContext {
  readonly request: LineageRequest
  /** See `Question.messageRunId` in `agent/analyst.ts`. */
  readonly messageRunId?: string
}
