import type { SourceListing } from '../agent/direct-reads.ts'
import type { DefinitionChanges } from '../domain/definition-history.ts'
import type { Metric, Term, VerifiedQuery } from '../domain/files.ts'
import type { ReportComparison } from '../evals/report.ts'
import type { StoredReport } from '../evals/stored-reports.ts'
import type { ColumnSchema, TableSchema } from '../warehouse/schema.ts'
import type { Cell } from '../warehouse/warehouse.ts'

/** `GET /console/api/data/sources?search=`: what the viewer may read. */
export interface SourcesJson {
  readonly sources: readonly SourceListing[]
}

/** `GET /console/api/data/table?source=&table=` */
export interface TableJson
  extends Pick<TableSchema, 'database' | 'name' | 'engine' | 'comment' | 'rows' | 'sortingKey' | 'partitionKey'> {
  readonly columns: readonly (Pick<ColumnSchema, 'name' | 'type' | 'comment' | 'statistics'> & {
    /** `unsampled`: queries may read it, but its name speaks of secrets or persons, so its values are not gathered. */
    readonly values: 'gathered' | 'unsampled' | 'private'
    /** The table and columns that it leads to, such as `sales.customers.id`. */
    readonly joins: readonly { readonly to: string; readonly columns: string; readonly found: number | null }[]
  })[]
}

/** Where a definition stands, and whether it still fits the data. */
export interface DefinitionCheck {
  readonly id: string
  readonly file: string
  readonly line: number | null
  /** Why it does not fit, as sentences. */
  readonly faults: readonly string[]
  /** What has changed below it. Null if nothing has. */
  readonly stale: DefinitionChanges | null
}

/** The last run of a verified query from the console, by somebody with the same rights. */
export interface LastRun {
  readonly at: number
  readonly by: string
  readonly ms: number | null
  readonly rows: number | null
  readonly error: string | null
}

export interface VerifiedQueryJson extends Omit<VerifiedQuery, 'template'>, DefinitionCheck {
  readonly parameters: readonly string[]
  /** Why it is only an example for the model. Null if its question is answered with its SQL at once. */
  readonly example_because: string | null
  readonly last_run: LastRun | null
}

/** `GET /console/api/data/domain`: the domain pack as it is on disk now. */
export interface DomainJson {
  readonly folder: string | null
  /** Why the pack cannot be read, or its folder cannot be written, with the way out. */
  readonly problem: string | null
  readonly read_only: string | null
  /** Markdown that every step of the model reads: the catalog text and the glossary. */
  readonly overview: string
  /** Tables that the catalog text names, and that are not there. */
  readonly missing: readonly string[]
  readonly terms: readonly (Term & DefinitionCheck)[]
  readonly metrics: readonly (Metric & DefinitionCheck)[]
  readonly verified: readonly VerifiedQueryJson[]
}

/** `POST /console/api/data/verified/:id/run` */
export interface VerifiedRunJson {
  readonly last_run: LastRun
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/** `GET /console/api/data/proposals` */
export interface ProposalsJson {
  readonly proposals: readonly {
    readonly id: string
    readonly run_id: string
    readonly question: string
    readonly sql: string
    readonly person: string
    readonly at: number
  }[]
  /** The number of those from private answers, and from people with other rights. */
  readonly hidden: number
  readonly read_only: string | null
}

/** `POST /console/api/data/proposals/:id/accept` */
export interface AcceptedJson {
  readonly path: string
  readonly yaml: string
}

/** `GET /console/api/data/evals`: the newest report first. */
export interface EvalsJson {
  readonly folder: string
  readonly reports: readonly Omit<StoredReport, 'cases'>[]
}

/** `GET /console/api/data/evals/diff?before=&after=`. `misses` has the cases that are wrong in `after`. */
export interface EvalsDiffJson extends ReportComparison {
  readonly misses: StoredReport['cases']
}
