import type { TreeNode } from './query-tree.ts'

/** The tables that a query may name, as `database.table`. Also the database for unqualified names. */
export interface GuardScope {
  readonly database: string
  readonly tables: ReadonlySet<string>
  /** The columns of tables, by `database.table`. If a table is missing here, all its columns may be read. */
  readonly columns?: ReadonlyMap<string, ScopeColumns>
  /**
   * Known views outside the scope, with the tables of the scope that each view reads. A query may not read such a view. The rejection then names
   * these tables instead.
   */
  readonly views?: ReadonlyMap<string, readonly string[]>
}

/** The columns of a table, in groups. The group decides how a query may use the column. */
export interface ScopeColumns {
  readonly readable: ReadonlySet<string>
  /** Columns that are forbidden in every use: selecting, filtering, joining, grouping and ordering. */
  readonly restricted: ReadonlySet<string>
  /** ALIAS and MATERIALIZED columns. `SELECT *` does not include them. */
  readonly byNameOnly: ReadonlySet<string>
  /** Whether the rows are those of other tables or files. If so, the engine's own columns (`_table`, `_path`) reveal names that may be secret. */
  readonly areForeign?: boolean
}

/**
 * The guard's decision on one SQL text. Only `canonical` may be executed: the SQL as the engine itself prints it after parsing. `code` is stable.
 * `message` is one sentence that helps a model to correct its SQL.
 */
export type GuardVerdict =
  | {
      readonly verdict: 'allow'
      readonly canonical: string
      readonly tables: readonly string[]
      readonly functions: readonly string[]
      /** The query tree before names are resolved. */
      readonly tree: TreeNode
      /** The names of the aggregate functions in the tree, as the query writes them. */
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
