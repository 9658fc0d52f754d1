import { branch, elements, type TreeNode } from '../../../warehouse/query-tree.ts'
import type { GuardScope } from '../../../warehouse/sql-guard.ts'
import { type KnownColumns, NO_COLUMNS, UNKNOWN_COLUMNS, unionOf } from './known-columns.ts'
import { type NameScope, withCte } from './name-scope.ts'
import { placeOfUse } from './query-aliases.ts'
import { isTableHeading } from './reference-graph.ts'
import { tableSource } from './table-source.ts'

/** Finds the columns that a FROM clause provides. The tree has unresolved names, so some columns stay unknown. */
export class QueryColumns {
  readonly #scope: GuardScope
  readonly #renamesColumns: boolean
  readonly #isCte: (name: string) => boolean
  readonly #meansCte: (name: string, names: NameScope) => boolean

  constructor(deps: {
    readonly scope: GuardScope
    /**
     * Whether the query may rename columns of subqueries or CTEs, as in `FROM (…) AS t(a, b)`. The tree does not show the new
     * names.
     */
    readonly renamesColumns: boolean
    readonly isCte: (name: string) => boolean
    /** Whether a name in FROM certainly means a CTE. */
    readonly meansCte: (name: string, names: NameScope) => boolean
  }) {
    this.#scope = deps.scope
    this.#renamesColumns = deps.renamesColumns
    this.#isCte = deps.isCte
    this.#meansCte = deps.meansCte
  }

  /**
   * @param node an item of FROM
   * @param names the names visible in FROM
   */
  ofTable(node: TreeNode, names: NameScope): KnownColumns {
    switch (node.kind) {
      case 'IDENTIFIER':
        return this.#ofName(node, names)
      case 'QUERY':
      case 'UNION':
        return qualified(this.ofSelect(node, names), node.attributes.alias)
      case 'TABLE_FUNCTION':
        return ofTableFunction(node)
      case 'JOIN':
      case 'CROSS JOIN':
        return this.ofTablesIn(node, names)
      case 'ARRAY_JOIN': {
        const arrays = elements(node, 'JOIN EXPRESSIONS').flatMap(({ attributes }) => attributes.alias ?? [])
        return unionOf(this.ofTablesIn(node, names), { ...only(arrays), asterisk: new Set() })
      }
      default:
        return UNKNOWN_COLUMNS
    }
  }

  /** Returns the columns of all tables in a JOIN or ARRAY JOIN, without the arrays of an ARRAY JOIN. */
  ofTablesIn(node: TreeNode, names: NameScope): KnownColumns {
    const tables = node.branches.filter(({ heading }) => isTableHeading(heading))
    return unionOf(...tables.map(table => this.ofTable(table.node, names)))
  }

  /**
   * Returns the columns of a query's result.
   * @param names the names visible around the query
   */
  ofSelect(node: TreeNode, names: NameScope): KnownColumns {
    if (this.#renamesColumns) return UNKNOWN_COLUMNS
    if (node.kind === 'UNION') {
      const [first] = elements(node, 'QUERIES')
      return first === undefined ? UNKNOWN_COLUMNS : this.ofSelect(first, names)
    }
    const joinTree = branch(node, 'JOIN TREE')
    const from = joinTree === undefined ? UNKNOWN_COLUMNS : this.ofTable(joinTree, this.#withCtes(node, names))
    const isTable = joinTree?.kind === 'IDENTIFIER' || joinTree?.kind === 'QUERY'
    const table = isTable ? (joinTree.attributes.alias ?? joinTree.attributes.identifier) : undefined
    return unionOf(...elements(node, 'PROJECTION').map(item => ofItem(item, from, table)))
  }

  /** Returns the columns in the FROM of each SELECT, also in subqueries, that uses a name accepted by `isMeant`. */
  whereUsed(node: TreeNode, isMeant: (name: string) => boolean, names: NameScope): readonly KnownColumns[] {
    const joinTree = node.kind === 'QUERY' ? branch(node, 'JOIN TREE') : undefined
    const place = joinTree === undefined ? undefined : placeOfUse(node, isMeant)
    const inner = node.branches.flatMap(child => this.whereUsed(child.node, isMeant, names))
    if (joinTree === undefined || place === undefined) return inner
    // A name used in FROM is resolved before the engine knows all tables. So its columns are unknown.
    return [place === 'from' ? UNKNOWN_COLUMNS : this.ofTable(joinTree, names), ...inner]
  }

  #ofName(node: TreeNode, names: NameScope): KnownColumns {
    const { identifier = '', alias } = node.attributes
    if (identifier === 'system.one') return only(['dummy'])
    if (this.#meansCte(identifier, names)) {
      return qualified(names.cteColumns.get(identifier) ?? UNKNOWN_COLUMNS, alias ?? identifier)
    }
    const source = this.#isCte(identifier) ? undefined : tableSource(node, this.#scope)
    if (source === undefined) return UNKNOWN_COLUMNS
    const { readable, restricted, byNameOnly } = source.columns
    const own = [...readable, ...restricted]
    const certain = own.flatMap(column => [column, ...source.qualifiers.map(qualifier => `${qualifier}.${column}`)])
    const asterisk = own.filter(column => !byNameOnly.has(column))
    return { certain: new Set(certain), asterisk: new Set(asterisk), possible: new Set(own) }
  }

  #withCtes(node: TreeNode, names: NameScope): NameScope {
    return elements(node, 'WITH').reduce((seen, item) => {
      const name = item.attributes.cte_name
      return name === undefined ? seen : withCte(seen, name, this.ofSelect(item, seen))
    }, names)
  }
}

function ofTableFunction({ attributes }: TreeNode): KnownColumns {
  const name = attributes.table_function_name?.toLowerCase() ?? ''
  if (!['numbers', 'generateseries', 'generate_series'].includes(name)) return UNKNOWN_COLUMNS
  return { ...NO_COLUMNS, possible: new Set(['number', 'generate_series']) }
}

/**
 * Returns the names that one item of a SELECT list may have in the result.
 * @param table the query's table, if it reads only one
 */
function ofItem({ kind, attributes, branches }: TreeNode, from: KnownColumns, table: string | undefined): KnownColumns {
  const { alias, identifier, function_name: functionName, qualified_identifier: qualifier } = attributes
  // `untuple` returns several columns, and their names are unknown.
  if (functionName?.toLowerCase() === 'untuple') return UNKNOWN_COLUMNS
  if (kind === 'MATCHER') {
    const isPlain = attributes.matcher_type === 'ASTERISK' && qualifier === undefined && branches.length === 0
    return isPlain ? { ...from, certain: from.asterisk } : { ...NO_COLUMNS, possible: from.possible }
  }
  if (alias !== undefined) return only([alias])
  if (identifier === undefined) return NO_COLUMNS
  if (!identifier.includes('.')) return only([identifier])
  const name = identifier.slice(identifier.lastIndexOf('.') + 1)
  if (identifier === `${table}.${name}` && table !== undefined && from.possible?.has(table) === false) return only([name])
  // In a query with a join, this column of the result may be called `id` or `orders.id`.
  return { ...NO_COLUMNS, possible: new Set([name]) }
}

function only(names: readonly string[]): KnownColumns {
  const all = new Set(names)
  return { certain: all, asterisk: all, possible: all }
}

function qualified({ certain, possible }: KnownColumns, alias: string | undefined): KnownColumns {
  const names = [...certain].filter(name => !name.includes('.'))
  const withAlias = alias === undefined ? [] : names.map(name => `${alias}.${name}`)
  return { certain: new Set([...names, ...withAlias]), asterisk: new Set(names), possible }
}
