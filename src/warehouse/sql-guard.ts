import type { TreeNode } from './query-tree.ts'

/** The tables that a query may name, as `database.table`, and the database of unqualified names. */
export interface GuardScope {
  readonly database: string
  readonly tables: ReadonlySet<string>
  /** By `database.table`. All columns of a missing table may be read. */
  readonly columns?: ReadonlyMap<string, ScopeColumns>
  /** Known views outside the scope, with the scope's tables that each reads. A query may not read them; the rejection names those tables. */
  readonly views?: ReadonlyMap<string, readonly string[]>
}

/** All columns of a table. */
export interface ScopeColumns {
  readonly readable: ReadonlySet<string>
  /** Forbidden in every use: selected, filtered, joined, grouped or ordered by. */
  readonly restricted: ReadonlySet<string>
  /** ALIAS and MATERIALIZED columns, which `*` leaves out. */
  readonly byNameOnly: ReadonlySet<string>
}

/**
 * The guard's decision on one SQL text. Only `canonical` may be executed: the engine's own rendering of what it parsed. `code` is stable. `message`
 * is one sentence that a model can act on.
 */
export type GuardVerdict =
  | {
      readonly verdict: 'allow'
      readonly canonical: string
      readonly tables: readonly string[]
      readonly functions: readonly string[]
      /** The unresolved query tree. */
      readonly tree: TreeNode
      /** Function names in the tree that are aggregates, as the query writes them. */
      readonly aggregates: ReadonlySet<string>
    }
  | {
      readonly verdict: 'reject'
      readonly code: GuardRejection
      readonly message: string
      /** Tables of the scope that may have been meant, as `database.table`. */
      readonly near?: readonly string[]
    }

export type GuardRejection =
  | 'too_long'
  | 'forbidden_character'
  | 'syntax'
  | 'not_select'
  | 'several_statements'
  | 'settings'
  | 'output'
  | 'parameter'
  | 'identifier'
  | 'out_of_scope'
  | 'table_function'
  | 'function'
  | 'not_understood'

export interface SqlGuard {
  /** Judges SQL without executing it. @throws WarehouseError only if the engine is unreachable */
  check(sql: string, scope: GuardScope, signal: AbortSignal): Promise<GuardVerdict>
}
