import type { InputColumn } from './column-lineage.ts'
import type { TreeNode } from './query-tree.ts'

/** The tables that a query is allowed to read, as `database.table`. `database` completes names without a database. */
export interface GuardScope {
  readonly database: string
  readonly tables: ReadonlySet<string>
  /** The columns of each table, by `database.table`. If a table has no entry, a query may use all its columns. */
  readonly columns?: ReadonlyMap<string, ScopeColumns>
  /**
   * Views that a query is not allowed to read, each with the allowed tables behind it. If a query reads such a view, its
   * rejection suggests these tables instead.
   */
  readonly views?: ReadonlyMap<string, readonly string[]>
}

/** The columns of a table, grouped by how a query may use them. */
export interface ScopeColumns {
  readonly readable: ReadonlySet<string>
  /** Columns that a query is not allowed to use at all, not even in WHERE, JOIN, GROUP BY or ORDER BY. */
  readonly restricted: ReadonlySet<string>
  /** ALIAS and MATERIALIZED columns. `SELECT *` does not return them. */
  readonly byNameOnly: ReadonlySet<string>
  /**
   * True if the table's rows come from other tables or files. Its virtual columns (`_table`, `_path`) would then reveal their
   * names, which may be secret.
   */
  readonly areForeign?: boolean
}

/**
 * The guard's decision on one SQL text. Only `canonical` is allowed to run: the SQL as it was judged, which ClickHouse itself
 * prints after parsing. `code` stays the same in all versions. `message` is one sentence from which a model can correct its SQL.
 */
export type GuardVerdict =
  | {
      readonly verdict: 'allow'
      readonly canonical: string
      readonly tables: readonly string[]
      readonly functions: readonly string[]
      /** Whatever reads the clock: names of functions, or as it is written. Absent if nobody has looked. */
      readonly clocks?: readonly string[]
      /** The input columns of each column of the result. Absent for ClickHouse, which must be asked for them. */
      readonly inputs?: readonly (readonly InputColumn[])[]
      /** The query tree as ClickHouse prints it before it resolves names. Absent for other kinds of data sources. */
      readonly tree?: TreeNode
    }
  | {
      readonly verdict: 'reject'
      readonly code: GuardRejection
      readonly message: string
      /** Allowed tables whose names resemble a refused one, as `database.table`. */
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
  /**
   * Decides whether an SQL text is allowed to run. Does not run it.
   * @throws WarehouseError if the engine is unreachable; in Postgres also for mistakes in names and types, which its analysis finds
   */
  check(sql: string, scope: GuardScope, signal: AbortSignal): Promise<GuardVerdict>
}
