import type { LinkHost } from '../../base/link-hosts.ts'
import type { Logger } from '../../base/logger.ts'
import type { DomainPack } from '../../domain/pack.ts'
import type { RunLog } from '../../history/run-log.ts'
import type { LanguageModel } from '../../llm/language-model.ts'
import type { Prompts } from '../../llm/prompts.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { CostBudget } from '../../warehouse/cost/budget.ts'
import type { QueryValidator } from '../../warehouse/query-validator.ts'
import type { SchemaSource } from '../../warehouse/schema-source.ts'
import type { SqlGuard } from '../../warehouse/sql-guard.ts'
import type { ResultRoom, Warehouse } from '../../warehouse/warehouse.ts'
import type { Language } from '../../words/language.ts'
import type { AskPerson, GivenChoice } from '../ask-back/interrupt.ts'
import type { RunObserver } from './event.ts'
import type { RunRequest } from './request.ts'

/** The parts of the pipeline, shared by all runs of a process. */
export interface AgentDeps {
  readonly model: LanguageModel
  readonly warehouse: Pick<Warehouse, 'read'>
  readonly guard: SqlGuard
  readonly validator: QueryValidator
  readonly schemaSource: SchemaSource
  readonly store: StateStore
  readonly prompts: Prompts
  readonly domain: DomainPack
  readonly logger: Logger
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly settings: AgentSettings
  /** Default: a week. */
  readonly traceRetentionSeconds?: number
}

export interface AgentSettings {
  /** The searchable databases. Unqualified names belong to the first. */
  readonly databases: readonly string[]
  /** Rows per query. Longer results are cut, and the answer says so. */
  readonly maxRows: number
  /** The maximum JSON size of one result, for messages about a cut. */
  readonly maxBytes: number
  /** A query over this budget needs the person's consent. */
  readonly budget: CostBudget
  readonly runTimeoutMs: number
  /** Starts work on a data question before classify has ended: saves time, costs tokens. */
  readonly speculation: boolean
  /** The time limit for looking up values of an empty result's columns. Default: a second. */
  readonly lookUpTimeLimitMs?: number
  /** Allowed hosts for links in answers. Other links become text. */
  readonly linkHosts: readonly LinkHost[]
}

/** The parts that a step needs to ask a model or a person. */
export interface StepContext {
  readonly deps: Pick<AgentDeps, 'model' | 'prompts' | 'logger'>
  readonly log: RunLog
  readonly observe: RunObserver
  /** Absent if nobody can be asked, now or later. */
  readonly askPerson?: AskPerson
  /** The person's answer since the run stopped to ask. */
  readonly given?: GivenChoice
}

export interface RunContext extends StepContext {
  readonly deps: AgentDeps
  /** The memory for its results. */
  readonly room: ResultRoom
  readonly request: RunRequest
  /** For the program's own sentences to the person. */
  readonly language: Language
}
