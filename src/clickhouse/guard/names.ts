import { type Columns, NO_COLUMNS } from './columns.ts'
import type { TableSource } from './table-source.ts'

/** What names mean at one place of a query. */
export interface Names {
  /** CTEs that are certainly seen here: those written earlier, in this query or around it. */
  readonly ctes: ReadonlySet<string>
  /** What is known of the columns of those CTEs. */
  readonly cteColumns: ReadonlyMap<string, Columns>
  /** Aliases that are certainly found here. An alias of a bare name stands for that name, which is judged apart. */
  readonly values: ReadonlySet<string>
  /** Aliases of lambdas. */
  readonly lambdas: ReadonlySet<string>
  /** Aliases of this query's own expressions, at whatever depth, and of the queries around it: what is found here when an expression is looked for. */
  readonly aliases: ReadonlySet<string>
  /** All names that may be aliases here. */
  readonly mayBeAliases: ReadonlySet<string>
  /** Parameters of the lambdas around this place. */
  readonly parameters: ReadonlySet<string>
  /** Those of them that certainly stand for values. */
  readonly arguments: ReadonlySet<string>
  /** The CTEs and aliases in whose definition this place is, outermost first, as keys of the name graph. */
  readonly inside: readonly string[]
  /** The recursive CTE in whose recursive part this place is. */
  readonly recursion: string | undefined
  /** Tables of the scope whose columns a name may mean here: those in FROM of this query and of the queries around it. */
  readonly sources: readonly TableSource[]
  /** Those that `*` may mean here: of this query alone. */
  readonly ownSources: readonly TableSource[]
  /** Whether this query reads one table or CTE by its name, and nothing else: `*` means its columns alone. */
  readonly isOneTable: boolean
  /** Names that mean a column here whatever else they could mean: the engine looks for columns before it looks for tables. */
  readonly columns: ReadonlySet<string>
  /** The same within an expression that has an alias, which the engine may resolve elsewhere in the query. */
  readonly columnsInAliases: ReadonlySet<string>
  /** The columns that an expression may mean here, of this query and of those around it: behind them come the functions without brackets. */
  readonly visible: () => Columns
  /** The same within an expression that has an alias. */
  readonly visibleInAliases: () => Columns
}

export const NO_NAMES: Names = {
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

/** `names` with more of one kind. */
export function withNames(names: Names, kind: 'values' | 'lambdas' | 'parameters', more: readonly (string | undefined)[]): Names {
  return { ...names, [kind]: new Set([...names[kind], ...more.filter(name => name !== undefined)]) }
}

/** `names` behind a CTE. */
export function withCte(names: Names, name: string, columns: Columns): Names {
  return {
    ...names,
    ctes: new Set([...names.ctes, name]),
    cteColumns: new Map([...names.cteColumns, [name, columns]]),
  }
}

/** `names` in a query that reads these tables, where none of their columns is there yet: in FROM. */
export function withSources(names: Names, ownSources: readonly TableSource[]): Names {
  return { ...withoutColumns(names), ownSources, sources: [...ownSources, ...names.sources] }
}

/** `names` where neither columns nor aliases of the queries around are found, but for those of WITH. */
export function withoutColumns(names: Names): Names {
  const { aliases, columns, columnsInAliases, visible, visibleInAliases } = NO_NAMES
  return { ...names, aliases, arguments: NO_NAMES.arguments, columns, columnsInAliases, visible, visibleInAliases }
}

/** `names` where an expression stands that the engine may resolve in another query: a name may mean a column of any table. */
export function withSourcesAnywhere(names: Names, sources: readonly TableSource[]): Names {
  return { ...names, sources, ownSources: sources, isOneTable: false, columns: new Set(), columnsInAliases: new Set() }
}

/** `names` as they are in the definition of a CTE or an alias. */
export function insideOf(names: Names, key: string): Names {
  return { ...names, inside: [...names.inside, key] }
}
