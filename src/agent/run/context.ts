import type { Logger } from '../../base/logger.ts'
import type { LinkHost } from '../../base/text/link-hosts.ts'
import type { CombineEngine } from '../../combine/engine.ts'
import type { DomainPack } from '../../domain/pack.ts'
import type { RunLog, RunLogDeps } from '../../history/run-log.ts'
import type { Dialect } from '../../llm/dialect.ts'
import type { LanguageModel } from '../../llm/language-model.ts'
import type { Prompts } from '../../llm/prompts.ts'
import type { Trials } from '../../pipelines/jobs/trial.ts'
import type { SourceResolver } from '../../sources/resolver.ts'
import type { SourceConfig } from '../../sources/source.ts'
import type { CostBudget } from '../../warehouse/cost/budget.ts'
import type { QueryValidator } from '../../warehouse/query-validator.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { SchemaSource } from '../../warehouse/schema-source.ts'
import type { SqlGuard } from '../../warehouse/sql-guard.ts'
import type { ResultRoom, Warehouse } from '../../warehouse/warehouse.ts'
import type { Language } from '../../words/language.ts'
import type { AskPerson, GivenChoice } from '../ask-back/interrupt.ts'
import type { StandingRun, Subscribe } from '../subscribe/frozen-plan.ts'
import type { RunObserver } from './event.ts'
import type { RunRequest } from './request.ts'

/** The parts that a step needs to log its work and to report its progress. */
export interface StepContext {
  readonly log: RunLog
  readonly observe: RunObserver
  readonly logger: Logger
}

/** The parts that a step needs to ask the model. */
export interface ModelContext extends StepContext {
  readonly model: LanguageModel
  readonly prompts: Prompts
  /** The SQL dialect that the prompts describe: the one of the data source. */
  readonly dialect: Dialect
  /**
   * The time that a model has to proofread an answer before it is complete. Absent if nobody proofreads, because it takes time and
   * tokens.
   */
  readonly proofreadMs?: number | undefined
  /** Waits for work on a complete answer. The time limit of the run does not count the wait. Absent: it does. */
  readonly offTheClock?: <T>(work: Promise<T>) => Promise<T>
}

/** The parts that a step needs to ask the person. */
export interface PersonContext extends StepContext {
  /** Absent if nobody can be asked, neither now nor later. */
  readonly askPerson?: AskPerson
  /** The person's answer to the question with which the run had ended. */
  readonly given?: GivenChoice
}

/** The parts that a step needs to understand the question. */
export interface QuestionContext {
  readonly request: RunRequest
  /** The language of the sentences that the program itself writes. */
  readonly language: Language
  /**
   * Returns those of the operator's texts that the asker may see. If the asker's rights are limited, they are empty until the
   * schema is loaded.
   */
  readonly domain: () => DomainPack
}

/** The parts that a step needs to find tables for the question. */
export interface SchemaContext extends QuestionContext {
  readonly schemaSource: SchemaSource
  /** The databases in which tables are searched. A table that is named without a database belongs to the first one. */
  readonly databases: readonly string[]
}

/** The parts that a step needs to read the warehouse with the program's own SQL. */
export interface ReadContext extends StepContext {
  readonly warehouse: Pick<Warehouse, 'read'>
  /** The SQL dialect of the warehouse. */
  readonly dialect: Dialect
  readonly request: Pick<RunRequest, 'asked_at' | 'time_zone'>
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** The time limit for looking up values after an empty result. Default: a second. */
  readonly lookUpTimeLimitMs?: number
}

/** The parts that a step needs to check a model's SQL. */
export interface CheckContext extends StepContext {
  readonly guard: SqlGuard
  readonly validator: QueryValidator
  readonly databases: readonly string[]
  /** A query over this budget needs the person's consent. */
  readonly budget: CostBudget
}

/** The parts that a step needs to run a model's SQL. */
export interface QueryContext extends CheckContext, ReadContext {
  /** The maximum number of rows of a result. A longer result is cut, and the answer says so. */
  readonly maxRows: number
  /** Limits how much memory the results of this run take. */
  readonly room: ResultRoom
}

/** The parts that a step needs to answer a data question. */
export type DataQuestionContext = ModelContext & PersonContext & SchemaContext & QueryContext

/** The parts of a run that belong to one data source. */
export type SourceParts = Pick<
  DataQuestionContext,
  'warehouse' | 'validator' | 'schemaSource' | 'domain' | 'guard' | 'databases' | 'dialect'
>

/** A data source, as far as the asker may use it. */
export interface RunSource {
  readonly config: Pick<SourceConfig, 'id' | 'isDefault' | 'description' | 'joinKeys'>
  readonly parts: SourceParts
}

/** A source that a plan may ask, with its schema as far as it is near to the question. */
export interface SourceInPlan extends RunSource {
  readonly schema: Schema
  /** True if the source cannot be read now. The schema is then the last known one, which may have no tables. */
  readonly isAway: boolean
}

/** Everything that a run needs. Each of its steps declares only the parts that it uses. */
export interface RunContext extends DataQuestionContext {
  readonly runTimeoutMs: number
  /** Told of the steps that end and of drafts. */
  readonly telemetry?: RunLogDeps['telemetry']
  /** Whether work on a possible data question starts before the message is classified. This saves time and costs tokens. */
  readonly speculation: boolean
  /** The hosts to which links in answers may lead. Other links become text. */
  readonly linkHosts: readonly LinkHost[]
  /** The data sources that the asker may use. Absent if the warehouse is the only one. */
  readonly sources?: readonly RunSource[]
  /** Finds the sources of a question. Absent if the warehouse is the only one. */
  readonly resolver?: Pick<SourceResolver, 'resolve'>
  /** The source that the run reads, if it is one of several. */
  readonly source?: RunSource['config']
  /** Whether the person has said that this source is meant. */
  readonly isSourceGiven?: boolean
  /** The sources over which the run plans, if the question may need several of them. */
  readonly planned?: readonly SourceInPlan[]
  /** Keeps what the person has confirmed to recur. Absent where nothing can come by itself. */
  readonly subscribe?: Subscribe
  /** The frozen plan that the run repeats, instead of answering a question. It takes nothing from the conversation. */
  readonly standing?: StandingRun
  /** Tries out drafts of pipelines. Absent if no tables can be written. */
  readonly trials?: Pick<Trials, keyof Trials>
  /** Combines results of several sources. Absent if the warehouse is the only one. */
  readonly combiner?: Pick<CombineEngine, 'start' | 'combine'>
}
