import { type KnownColumns, NO_COLUMNS } from './known-columns.ts'
import type { TableSource } from './table-source.ts'

/** The meanings that names have at one place of a query. */
export interface NameScope {
  /** CTEs that are certainly visible: those before this place, in this query or around it. */
  readonly ctes: ReadonlySet<string>
  /** The known columns of those CTEs. */
  readonly cteColumns: ReadonlyMap<string, KnownColumns>
  /** Aliases that certainly mean a value here. An alias of a bare name stands for that name, which is judged separately. */
  readonly values: ReadonlySet<string>
  /** Aliases of lambdas. */
  readonly lambdas: ReadonlySet<string>
  /** Aliases of expressions in this query, at any depth, and in the queries around it. */
  readonly aliases: ReadonlySet<string>
  /** All names that may be aliases here. */
  readonly mayBeAliases: ReadonlySet<string>
  /** Parameters of the lambdas around this place. */
  readonly parameters: ReadonlySet<string>
  /** Parameters that certainly stand for values. */
  readonly arguments: ReadonlySet<string>
  /** The CTEs and aliases whose definition contains this place, outermost first, as keys of the name graph. */
  readonly inside: readonly string[]
  /** The recursive CTE whose recursive part contains this place. */
  readonly recursion: string | undefined
  /** Tables of the scope whose columns a name may mean here: those in FROM of this query and the queries around it. */
  readonly sources: readonly TableSource[]
  /** Tables of this query alone, for `*`. */
  readonly ownSources: readonly TableSource[]
  /** Whether this query reads exactly one table or CTE by name, so that `*` means its columns. */
  readonly isOneTable: boolean
  /** Names that certainly mean a column here, since the engine looks for columns before tables. */
  readonly columns: ReadonlySet<string>
  /** The same inside an expression with an alias, which the engine may resolve elsewhere in the query. */
  readonly columnsInAliases: ReadonlySet<string>
  /** Columns that an expression may mean here, of this query and those around it. Functions without brackets come after them. */
  readonly visible: () => KnownColumns
  /** The same inside an expression with an alias. */
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

/** Returns `names` with more of one kind. */
export function withNames(
  names: NameScope,
  kind: 'values' | 'lambdas' | 'parameters',
  more: readonly (string | undefined)[],
): NameScope {
  return { ...names, [kind]: new Set([...names[kind], ...more.filter(name => name !== undefined)]) }
}

/** Returns `names` behind a CTE. */
export function withCte(names: NameScope, name: string, columns: KnownColumns): NameScope {
  return {
    ...names,
    ctes: new Set([...names.ctes, name]),
    cteColumns: new Map([...names.cteColumns, [name, columns]]),
  }
}

/** Returns `names` for the FROM of a query with these tables, where their columns are not visible yet. */
export function withSources(names: NameScope, ownSources: readonly TableSource[]): NameScope {
  return { ...withoutColumns(names), ownSources, sources: [...ownSources, ...names.sources] }
}

/** Returns `names` without the columns and aliases of outer queries, except those of WITH. */
export function withoutColumns(names: NameScope): NameScope {
  const { aliases, columns, columnsInAliases, visible, visibleInAliases } = EMPTY_SCOPE
  return { ...names, aliases, arguments: EMPTY_SCOPE.arguments, columns, columnsInAliases, visible, visibleInAliases }
}

/** Returns `names` for an expression that the engine may resolve in another query, where a name may mean any table's column. */
export function withSourcesAnywhere(names: NameScope, sources: readonly TableSource[]): NameScope {
  return { ...names, sources, ownSources: sources, isOneTable: false, columns: new Set(), columnsInAliases: new Set() }
}

/** Returns `names` for the definition of a CTE or alias. */
export function insideOf(names: NameScope, key: string): NameScope {
  return { ...names, inside: [...names.inside, key] }
}
