import type { CostBudget } from '../clickhouse/cost/cost-budget.ts'
import type { SqlGuard } from '../clickhouse/guard/sql-guard.ts'
import type { SchemaSource } from '../clickhouse/schema-source.ts'
import type { QueryValidator } from '../clickhouse/validation/query-validator.ts'
import type { Warehouse } from '../clickhouse/warehouse.ts'
import type { RunLog } from '../history/run-log.ts'
import type { LinkHost } from '../link-hosts.ts'
import type { LanguageModel } from '../llm/language-model.ts'
import type { Prompts } from '../llm/prompts.ts'
import type { Logger } from '../logger.ts'
import type { StateStore } from '../store/state-store.ts'
import type { Language } from '../words/language.ts'
import type { DomainPack } from './domain/domain-pack.ts'
import type { AskPerson, GivenChoice } from './interrupt.ts'
import type { RunObserver } from './run-event.ts'
import type { RunRequest } from './run-request.ts'

/** The parts the pipeline works with; wired in `main-*`, shared by all runs of a process. */
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
  /** How long traces are kept; a week when absent. */
  readonly traceRetentionSeconds?: number
}

export interface AgentSettings {
  /** The databases asked about; unqualified names belong to the first. */
  readonly databases: readonly string[]
  /** Rows a query may return; more are cut and said to be. */
  readonly maxRows: number
  /** Of one result, as JSON; for what is told of a cut one. */
  readonly maxBytes: number
  /** What a query may read without anybody being asked. */
  readonly budget: CostBudget
  readonly runTimeoutMs: number
  /** What a data question needs is begun while it is not known yet whether the message is one: saves time, costs tokens. */
  readonly speculation: boolean
  /** How long the columns of an empty result may be looked at; a second when absent. */
  readonly lookUpTimeLimitMs?: number
  /** Where links in answers may lead; everything else is shown as text. */
  readonly linkHosts: readonly LinkHost[]
}

/** What it takes to ask a model within a run, or a person. */
export interface StepContext {
  readonly deps: Pick<AgentDeps, 'model' | 'prompts' | 'logger'>
  readonly log: RunLog
  readonly observe: RunObserver
  /** Absent where nobody can be asked, now or later. */
  readonly askPerson?: AskPerson
  /** What the person said since the run stopped to ask. */
  readonly given?: GivenChoice
}

/** One run's own: the request, its log and who watches. */
export interface RunContext extends StepContext {
  readonly deps: AgentDeps
  readonly request: RunRequest
  /** The program's own sentences to the person are in it. */
  readonly language: Language
}
