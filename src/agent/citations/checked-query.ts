import type { FilterFinding } from '../../clickhouse/filters/filter-finding.ts'
import type { QueryResult } from '../../clickhouse/warehouse.ts'
import type { DataEdges } from '../data-edges.ts'

/** As much of a query as the sentences that cite it are checked against. */
export interface CheckedQuery extends Pick<QueryResult, 'columns' | 'rows' | 'truncated'> {
  /** As sentences cite it: `Q1`. */
  readonly id: string
  readonly question: string
  /** null where none was written. */
  readonly sql: string | null
  /** null where it ran. */
  readonly error: string | null
  /** What the warehouse holds of the columns that it filters on. */
  readonly look_up: readonly FilterFinding[]
  /** Where the data begin or end within the asked period. */
  readonly edges?: DataEdges | undefined
}
