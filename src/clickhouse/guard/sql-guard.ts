import type { TreeNode } from './query-tree.ts'

/** The tables that a query may name, as `database.table`, and the database in which unqualified names are looked up. */
export interface GuardScope {
  readonly database: string
  readonly tables: ReadonlySet<string>
  /** By `database.table`. A table that is missing has columns that are not known, all of which may be read. */
  readonly columns?: ReadonlyMap<string, ScopeColumns>
  /** Views that are known but not in the scope, with the tables of the scope that each reads. They may not be read; the rejection names what may. */
  readonly views?: ReadonlyMap<string, readonly string[]>
}

/** All columns of a table. */
export interface ScopeColumns {
  readonly readable: ReadonlySet<string>
  /** May not be read in any way: selected, filtered, joined, grouped or ordered by. */
  readonly restricted: ReadonlySet<string>
  /** Those of both that `*` does not stand for: ALIAS and MATERIALIZED ones. */
  readonly byNameOnly: ReadonlySet<string>
}

/**
 * The guard's word on one piece of SQL. `canonical` is the only text that may be executed; it is the engine's own rendering of what
 * it parsed. `code` is stable; `message` is one sentence that a model can act on.
 */
export type GuardVerdict =
  | {
      readonly verdict: 'allow'
      readonly canonical: string
      readonly tables: readonly string[]
      readonly functions: readonly string[]
      /** The unresolved query tree, for whoever needs the query's shape. */
      readonly tree: TreeNode
      /** Which of the tree's function names are aggregate functions, as the query spells them. */
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
  /** Judges SQL without executing any of it. @throws WarehouseError only when the engine itself cannot be asked. */
  check(sql: string, scope: GuardScope, signal: AbortSignal): Promise<GuardVerdict>
}
