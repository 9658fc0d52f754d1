import type { TreeNode } from '../warehouse/query-tree.ts'
import type { AllowedQuery } from '../warehouse/query-validator.ts'
import type { GuardVerdict } from '../warehouse/sql-guard.ts'

interface Parsed {
  readonly tree: TreeNode
}

/** A query that ClickHouse's guard allows. */
export type ParsedQuery = AllowedQuery & Parsed

/** The decision of ClickHouse's guard. */
export type ParsedVerdict = (Extract<GuardVerdict, { verdict: 'allow' }> & Parsed) | Extract<GuardVerdict, { verdict: 'reject' }>
