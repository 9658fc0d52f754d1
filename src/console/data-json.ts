import type { SourceListing } from '../agent/direct-reads.ts'
import type { CheckedDefinition } from '../domain/check-definitions.ts'
import type { DefinitionChanges } from '../domain/definition-history.ts'
import type { StoredReport } from '../evals/stored-reports.ts'
import type { TableSchema } from '../warehouse/schema.ts'
import type { Cell } from '../warehouse/warehouse.ts'

/** `GET /console/api/data/sources?search=`: what the viewer may read. */
export type SourcesJson = readonly SourceListing[]

/** `GET /console/api/data/table?source=&table=`. `to` is as `sales.customers.id`, `found` the share of values that are there. */
export interface TableJson {
  readonly table: TableSchema
  readonly joins: readonly { readonly columns: readonly string[]; readonly to: string; readonly found: number | null }[]
}

/** The last run of a verified query from the console, by somebody with the same rights. */
export interface LastRun {
  readonly at: number
  readonly person: string
  readonly ms: number | null
  readonly rows: number | null
  readonly error: string | null
}

export type DefinitionJson = CheckedDefinition & {
  readonly id: string
  readonly stale: DefinitionChanges | null
  /** Why a verified query is only an example for the model. Null if its question is answered with its SQL at once. */
  readonly example_because: string | null
  readonly last_run: LastRun | null
}

/** `GET /console/api/data/domain`: the domain pack as it is on disk now. */
export interface DomainJson {
  readonly folder: string | null
  /** Why the pack cannot be shown, with the way out. */
  readonly problem: string | null
  /** Markdown that every step of the model reads: the catalog text and the glossary. */
  readonly overview: string
  readonly definitions: readonly DefinitionJson[]
}

/** `POST /console/api/data/verified/:id/run` */
export interface VerifiedRunJson {
  readonly last_run: LastRun
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** `GET /console/api/data/proposals` */
export interface ProposalsJson {
  readonly proposals: readonly ProposalJson[]
  /** The number of those from private answers, and about tables that the viewer may not read. */
  readonly hidden: number
  /** Why none can be accepted, with the way out. */
  readonly read_only: string | null
}

export interface ProposalJson {
  readonly id: string
  readonly run_id: string
  readonly question: string
  readonly sql: string
  readonly person: string
  readonly at: number
}

/** `GET /console/api/data/evals`: the newest report first. */
export type EvalsJson = readonly StoredReport[]
