import { type KnownColumns, NO_COLUMNS } from './known-columns.ts'
import type { TableSource } from './table-source.ts'

/** The meanings that names have at one place in a query. */
export interface NameScope {
  /** The CTEs that are definitely visible here. They are defined before this place, in this query or an outer one. */
  readonly ctes: ReadonlySet<string>
  /** The columns of the CTEs in `ctes`, as far as they are known. */
  readonly cteColumns: ReadonlyMap<string, KnownColumns>
  /** Aliases that definitely mean a value here. An alias of a bare name is included, because the bare name itself is judged elsewhere. */
  readonly values: ReadonlySet<string>
  /** Aliases of lambda functions. */
  readonly lambdas: ReadonlySet<string>
  /** Aliases of expressions in this query and its outer queries, at any depth of nesting. */
  readonly aliases: ReadonlySet<string>
  /** All names that might be aliases here. They include aliases of subqueries. */
  readonly mayBeAliases: ReadonlySet<string>
  /** The parameters of the lambda functions around this place. */
  readonly parameters: ReadonlySet<string>
  /** The lambda parameters that definitely stand for values. Other parameters may stand for a column or a table. */
  readonly arguments: ReadonlySet<string>
  /** The CTEs and aliases with a definition that contains this place, outermost first. They are keys of the reference graph. */
  readonly inside: readonly string[]
  /** The name of a recursive CTE, if this place is inside its recursive part. Otherwise undefined. */
  readonly recursion: string | undefined
  /**
   * The tables of the scope in the FROM of this query and of the queries around it. A name here may mean one of their columns.
   */
  readonly sources: readonly TableSource[]
  /** The tables in the FROM of this query alone. `*` means all their columns. */
  readonly ownSources: readonly TableSource[]
  /** Whether FROM consists of exactly one named table or CTE. Only then is it certain which columns `*` returns. */
  readonly isOneTable: boolean
  /** Names that definitely mean a column here. The engine looks for columns before it looks for tables. */
  readonly columns: ReadonlySet<string>
  /** Like `columns`, but for an expression with an alias. The engine may resolve such an expression elsewhere in the query. */
  readonly columnsInAliases: ReadonlySet<string>
  /**
   * The columns of this query and its outer queries that a name in an expression may mean here. If no column has the name, the
   * engine tries functions without parentheses.
   */
  readonly visible: () => KnownColumns
  /** Like `visible`, but for an expression with an alias. */
  readonly visibleInAliases: () => KnownColumns
}

export const EMPTY_SCOPE: NameScope = {
  ctes: new Set(),
  cteColumns: new Map(),
  values: new Set(),
  lambdas: new Set(),
  aliases: new Set(),
  mayBeAliases: new Set(),
  parameters: new Set(),
  arguments: new Set(),
  inside: [],
  recursion: undefined,
  sources: [],
  ownSources: [],
  isOneTable: false,
  columns: new Set(),
  columnsInAliases: new Set(),
  visible: () => NO_COLUMNS,
  visibleInAliases: () => NO_COLUMNS,
}

/** Returns a copy of `names` with additional names in the set `kind`. */
export function withNames(
  names: NameScope,
  kind: 'values' | 'lambdas' | 'parameters',
  more: readonly (string | undefined)[],
): NameScope {
  return { ...names, [kind]: new Set([...names[kind], ...more.filter(name => name !== undefined)]) }
}

/** Returns a copy of `names` with one more visible CTE and its columns. */
export function withCte(names: NameScope, name: string, columns: KnownColumns): NameScope {
  return {
    ...names,
    ctes: new Set([...names.ctes, name]),
    cteColumns: new Map([...names.cteColumns, [name, columns]]),
  }
}

/** Returns a copy of `names` for the FROM clause of a query with these tables. Inside FROM, their columns are not yet visible. */
export function withSources(names: NameScope, ownSources: readonly TableSource[]): NameScope {
  return { ...withoutColumns(names), ownSources, sources: [...ownSources, ...names.sources] }
}

/** Returns a copy of `names` without the columns and aliases of outer queries. Keeps the aliases from WITH. */
export function withoutColumns(names: NameScope): NameScope {
  const { aliases, columns, columnsInAliases, visible, visibleInAliases } = EMPTY_SCOPE
  return { ...names, aliases, arguments: EMPTY_SCOPE.arguments, columns, columnsInAliases, visible, visibleInAliases }
}

/**
 * Returns a copy of `names` for an expression that the engine may resolve in another query. A name in such an expression may mean a column of
 * any table.
 */
export function withSourcesAnywhere(names: NameScope, sources: readonly TableSource[]): NameScope {
  return { ...names, sources, ownSources: sources, isOneTable: false, columns: new Set(), columnsInAliases: new Set() }
}

/** Returns a copy of `names` for a place inside the definition of the CTE or alias `key`. */
export function insideOf(names: NameScope, key: string): NameScope {
  return { ...names, inside: [...names.inside, key] }
}
