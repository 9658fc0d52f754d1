import type { DataEdges } from '../warehouse/data-edges.ts'
import type { FilterFinding } from '../warehouse/filter-finding.ts'
import type { QueryResult } from '../warehouse/warehouse.ts'

/** The parts of a query that the check of an answer needs. */
export interface CheckedQuery extends Pick<QueryResult, 'columns' | 'rows' | 'truncated'> {
  /** If the result was cut: how many rows it had before the cut, if that is known. */
  readonly total_rows?: number | undefined
  /** The id in citations: `Q1`. */
  readonly id: string
  readonly question: string
  /** Null if no SQL was written. */
  readonly sql: string | null
  /** Null if the query ran. */
  readonly error: string | null
  /** The findings about the query's filters: which values the filtered columns hold. */
  readonly look_up: readonly FilterFinding[]
  /** The first and the last data within the period that the question asks for. */
  readonly edges?: DataEdges | undefined
}
