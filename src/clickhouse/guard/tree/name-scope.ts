import { type KnownColumns, NO_COLUMNS } from './known-columns.ts'
import type { TableSource } from './table-source.ts'

/** The meanings of names at one place of a query. */
export interface NameScope {
  /** CTEs that are certainly visible here. They stand before this place, in this query or in a query around it. */
  readonly ctes: ReadonlySet<string>
  /** The known columns of the CTEs in `ctes`. */
  readonly cteColumns: ReadonlyMap<string, KnownColumns>
  /** Aliases that certainly mean a value here. Aliases of bare names are included, because the bare name is judged separately. */
  readonly values: ReadonlySet<string>
  /** Aliases of lambdas. */
  readonly lambdas: ReadonlySet<string>
  /** Aliases of expressions, at any depth, in this query and in the queries around it. */
  readonly aliases: ReadonlySet<string>
  /** All names that are possibly aliases here. */
  readonly mayBeAliases: ReadonlySet<string>
  /** Parameters of the lambdas around this place. */
  readonly parameters: ReadonlySet<string>
  /** The lambda parameters that are known to be values. The others may be names of columns. */
  readonly arguments: ReadonlySet<string>
  /** The CTEs and aliases whose definition contains this place, outermost first, as keys of the reference graph. */
  readonly inside: readonly string[]
  /** The recursive CTE, if this place is inside its recursive part. */
  readonly recursion: string | undefined
  /**
   * The tables of the scope in the FROM of this query and of the queries around it. A name here may mean one of their columns.
   */
  readonly sources: readonly TableSource[]
  /** The tables of this query alone. `*` means all their columns. */
  readonly ownSources: readonly TableSource[]
  /** Whether this query reads exactly one table or CTE by name. Only then does `*` certainly mean its columns. */
  readonly isOneTable: boolean
  /** Names that certainly mean a column here. The engine searches columns before tables. */
  readonly columns: ReadonlySet<string>
  /** Like `columns`, inside an expression with an alias. The engine may resolve such an expression elsewhere in the query. */
  readonly columnsInAliases: ReadonlySet<string>
  /**
   * The columns of this query and of the queries around it that an expression may mean here. The engine tries functions without brackets only after
   * them.
   */
  readonly visible: () => KnownColumns
  /** Like `visible`, for an expression with an alias. */
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

/** Returns a copy of `names` with more names of one kind. */
export function withNames(
  names: NameScope,
  kind: 'values' | 'lambdas' | 'parameters',
  more: readonly (string | undefined)[],
): NameScope {
  return { ...names, [kind]: new Set([...names[kind], ...more.filter(name => name !== undefined)]) }
}

/** Returns a copy of `names` in which one more CTE is visible, with its known columns. */
export function withCte(names: NameScope, name: string, columns: KnownColumns): NameScope {
  return {
    ...names,
    ctes: new Set([...names.ctes, name]),
    cteColumns: new Map([...names.cteColumns, [name, columns]]),
  }
}

/** Returns a copy of `names` for the FROM of a query with these tables. Their columns are not yet visible there. */
export function withSources(names: NameScope, ownSources: readonly TableSource[]): NameScope {
  return { ...withoutColumns(names), ownSources, sources: [...ownSources, ...names.sources] }
}

/** Returns a copy of `names` without the columns and aliases of outer queries. Aliases of WITH stay. */
export function withoutColumns(names: NameScope): NameScope {
  const { aliases, columns, columnsInAliases, visible, visibleInAliases } = EMPTY_SCOPE
  return { ...names, aliases, arguments: EMPTY_SCOPE.arguments, columns, columnsInAliases, visible, visibleInAliases }
}

/**
 * Returns a copy of `names` for an expression that the engine may resolve in another query. A name in it may mean a column of any table.
 */
export function withSourcesAnywhere(names: NameScope, sources: readonly TableSource[]): NameScope {
  return { ...names, sources, ownSources: sources, isOneTable: false, columns: new Set(), columnsInAliases: new Set() }
}

/** Returns a copy of `names` for a place inside the definition of a CTE or alias. */
export function insideOf(names: NameScope, key: string): NameScope {
  return { ...names, inside: [...names.inside, key] }
}
