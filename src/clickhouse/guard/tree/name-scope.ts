import { type KnownColumns, NO_COLUMNS } from './known-columns.ts'
import type { TableSource } from './table-source.ts'

/** The meanings of names at one place in a query. */
export interface NameScope {
  /** The CTEs that are certainly visible here: defined before this place, in this query or an outer one. */
  readonly ctes: ReadonlySet<string>
  /** The known facts about the columns of the CTEs in `ctes`. */
  readonly cteColumns: ReadonlyMap<string, KnownColumns>
  /**
   * Aliases that certainly mean a value here. They include aliases of bare names, because the bare names are judged elsewhere.
   */
  readonly values: ReadonlySet<string>
  /** Aliases of lambda functions. */
  readonly lambdas: ReadonlySet<string>
  /** Aliases of expressions in this query and its outer queries, however deeply nested. */
  readonly aliases: ReadonlySet<string>
  /** All names that may be aliases here, also of subqueries. */
  readonly mayBeAliases: ReadonlySet<string>
  /** The parameters of the lambda functions around this place. */
  readonly parameters: ReadonlySet<string>
  /** The lambda parameters that certainly stand for values. Others may stand for a column or a table. */
  readonly arguments: ReadonlySet<string>
  /** The CTEs and aliases whose definitions contain this place, outermost first, as keys of the reference graph. */
  readonly inside: readonly string[]
  /** The name of a recursive CTE if this place is inside its recursive part. */
  readonly recursion: string | undefined
  /** The allowed tables in the FROM of this query and its outer queries. A name here may mean one of their columns. */
  readonly sources: readonly TableSource[]
  /** The allowed tables in the FROM of this query alone. `*` means all their columns. */
  readonly ownSources: readonly TableSource[]
  /** Whether FROM is exactly one named table or CTE. Only then are the columns of `*` certain. */
  readonly isOneTable: boolean
  /** Names that certainly mean a column here, because the engine looks for columns before tables. */
  readonly columns: ReadonlySet<string>
  /** Like `columns`, but for an expression with an alias, which the engine may resolve elsewhere in the query. */
  readonly columnsInAliases: ReadonlySet<string>
  /**
   * The columns that a name in an expression may mean here, of this query and its outer queries. If there is none, the engine
   * tries functions without parentheses.
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

/**
 * Returns a copy of `names` for the FROM clause of a query with these tables. Their columns are not visible inside FROM itself.
 */
export function withSources(names: NameScope, ownSources: readonly TableSource[]): NameScope {
  return { ...withoutColumns(names), ownSources, sources: [...ownSources, ...names.sources] }
}

/** Returns a copy of `names` without the columns and aliases of outer queries, but with the aliases from WITH. */
export function withoutColumns(names: NameScope): NameScope {
  const { aliases, columns, columnsInAliases, visible, visibleInAliases } = EMPTY_SCOPE
  return { ...names, aliases, arguments: EMPTY_SCOPE.arguments, columns, columnsInAliases, visible, visibleInAliases }
}

/**
 * Returns a copy of `names` for an expression that the engine may resolve elsewhere in the query. A name in it may mean a column
 * of any table.
 */
export function withSourcesAnywhere(names: NameScope, sources: readonly TableSource[]): NameScope {
  return { ...names, sources, ownSources: sources, isOneTable: false, columns: new Set(), columnsInAliases: new Set() }
}

/** Returns a copy of `names` for a place inside the definition of the CTE or alias `key`. */
export function insideOf(names: NameScope, key: string): NameScope {
  return { ...names, inside: [...names.inside, key] }
}
