import type { TreeNode } from './query-tree.ts'

/** The tables that a query may read, as `database.table`, and the database for names without one. */
export interface GuardScope {
  readonly database: string
  readonly tables: ReadonlySet<string>
  /** The columns of each table, by `database.table`. If a table has no entry, all its columns may be read. */
  readonly columns?: ReadonlyMap<string, ScopeColumns>
  /**
   * Known views that a query may not read, each with the allowed tables that the view reads. The rejection of such a view suggests these tables
   * instead.
   */
  readonly views?: ReadonlyMap<string, readonly string[]>
}

/** The columns of a table, in groups. A column's group decides how a query may use it. */
export interface ScopeColumns {
  readonly readable: ReadonlySet<string>
  /** Columns that a query must not use in any way: no selecting, filtering, joining, grouping or ordering. */
  readonly restricted: ReadonlySet<string>
  /** ALIAS and MATERIALIZED columns. `SELECT *` does not return them. */
  readonly byNameOnly: ReadonlySet<string>
  /**
   * True if the rows come from other tables or files. The engine's virtual columns (`_table`, `_path`) would then reveal names that may be
   * secret.
   */
  readonly areForeign?: boolean
}

/**
 * The guard's decision on one SQL text. Only `canonical` may be executed: this is the SQL as the engine itself prints it after parsing. `code`
 * never changes between versions. `message` is one sentence that helps a model to correct its SQL.
 */
export type GuardVerdict =
  | {
      readonly verdict: 'allow'
      readonly canonical: string
      readonly tables: readonly string[]
      readonly functions: readonly string[]
      /** The query tree as the engine prints it before it resolves names. */
      readonly tree: TreeNode
      /** The aggregate functions in the tree, in the query's own spelling. */
      readonly aggregates: ReadonlySet<string>
    }
  | {
      readonly verdict: 'reject'
      readonly code: GuardRejection
      readonly message: string
      /** Tables with a name similar to a refused one, as `database.table`. The query may read them. */
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
  /** Decides whether an SQL text may run. Does not run it. @throws WarehouseError only if the engine is unreachable */
  check(sql: string, scope: GuardScope, signal: AbortSignal): Promise<GuardVerdict>
}
