import type { DataEdges } from '../warehouse/data-edges.ts'
import type { FilterFinding } from '../warehouse/filter-finding.ts'
import type { QueryResult } from '../warehouse/warehouse.ts'

/** The parts of a query that a check of citing sentences needs. */
export interface CheckedQuery extends Pick<QueryResult, 'columns' | 'rows' | 'truncated'> {
  /** The id in citations: `Q1`. */
  readonly id: string
  readonly question: string
  /** Null if none was written. */
  readonly sql: string | null
  /** Null if it ran. */
  readonly error: string | null
  /** The data behind the columns that it filters on. */
  readonly look_up: readonly FilterFinding[]
  /** The first and last data within the requested period. */
  readonly edges?: DataEdges | undefined
}
