import { type ResolvedNode, resolvedBranch, resolvedColumn, resolvedElements } from '../resolved-tree.ts'

/**
 * Thrown if the query tree has a node that Clew does not know. The query then gets no lineage, because no lineage is better than
 * a wrong one.
 */
export class UntracedTreeError extends Error {}

const SOURCES = new Set([
  'TABLE',
  'TABLE_FUNCTION',
  'QUERY',
  'UNION',
  'JOIN',
  'CROSS JOIN',
  'ARRAY_JOIN',
  'LAMBDA',
  'INTERPOLATE',
])
/**
 * Finds the id of a recursive CTE's temporary table. The lookahead `(?=(…))\1` prevents backtracking, which takes quadratic time
 * in a text with many matches.
 */
const RECURSIVE_TABLE = /^(?=(.*?(?:^|, )recursive_cte_table: ))\1.*\(([^\s(]+)\)/

/** The facts in the engine's line about a COLUMN node. */
export interface ColumnReference {
  readonly name: string
  readonly type: string
  /** The node that the column comes from, such as a table or a subquery. */
  readonly source: ResolvedNode
}

/** Finds the table or subquery that each column of a resolved tree comes from. */
export class ResolvedSources {
  readonly #byId = new Map<string, ResolvedNode>()
  /** The recursive CTEs of the query, by the id of the temporary table in which the engine keeps their rows. */
  readonly #recursive = new Map<string, ResolvedNode>()

  readonly #dotted: ResolvedNode[] = []
  readonly #whole: ResolvedNode[] = []

  constructor(root: ResolvedNode) {
    const visit = (node: ResolvedNode, isArgument: boolean): void => {
      if (node.kind === 'TABLE' && isArgument) this.#whole.push(node)
      if (node.kind === 'COLUMN' && resolvedColumn(node)?.name.includes('.')) this.#dotted.push(node)
      if (SOURCES.has(node.kind)) this.#byId.set(node.id, node)
      const table = node.kind === 'UNION' ? RECURSIVE_TABLE.exec(node.text)?.[2] : undefined
      if (table !== undefined) this.#recursive.set(table, node)
      for (const child of node.branches) visit(child.node, node.kind === 'LIST')
    }
    visit(root, false)
  }

  /**
   * Returns the parsed line and the source of a COLUMN node.
   * @throws UntracedTreeError
   */
  reference(column: ResolvedNode): ColumnReference {
    const { name = '', type = '', sourceId = '' } = resolvedColumn(column) ?? {}
    const source = this.#byId.get(sourceId)
    if (source === undefined) throw new UntracedTreeError(column.text)
    return { name, type, source }
  }

  /** Returns the recursive CTE whose rows are in this temporary table. Returns undefined for any other table. */
  recursive(table: ResolvedNode): ResolvedNode | undefined {
    const id = attribute(table, 'table_name')?.split('._tmp_')[1]
    return id === undefined ? undefined : this.#recursive.get(id)
  }

  /**
   * The tables whose column names the caller must fetch, as `database.table`:
   * - tables after IN, as in `id IN paid`, because IN reads all their columns
   * - tables with a dotted column such as `a.b` in the query, because this may be a column or a part of one
   */
  get tablesToDescribe(): readonly string[] {
    const named = this.#dotted.map(column => this.reference(column).source).filter(({ kind }) => kind === 'TABLE')
    return [...new Set([...named, ...this.#whole].map(sourceTableName))]
  }
}

/**
 * Returns `database.table`. For a table function, returns `_table_function.<name>`, as the engine writes it.
 * @throws UntracedTreeError
 */
export function sourceTableName(node: ResolvedNode): string {
  const called = attribute(node, 'table_function_name')
  const name = called === undefined ? attribute(node, 'table_name') : `_table_function.${called}`
  if (name === undefined) throw new UntracedTreeError(node.text)
  return name
}

/**
 * Returns an attribute of a node: for a JOIN node and the key `kind`, this may be `INNER`. Returns undefined if there is none.
 */
export function attribute(node: ResolvedNode, key: string): string | undefined {
  return new RegExp(`(?:^|, )${key}: ([^,]+)`).exec(node.text)?.[1]
}

/** Returns all queries that a UNION combines. For a plain query, returns only that query. */
export function queriesOf(node: ResolvedNode): readonly ResolvedNode[] {
  return node.kind === 'UNION' ? resolvedElements(node, 'QUERIES').flatMap(queriesOf) : [node]
}

/** Returns the mode of a UNION node, such as `UNION_ALL` or `EXCEPT_DISTINCT`. */
export function unionMode(union: ResolvedNode): string {
  return attribute(union, 'union_mode') ?? ''
}

/**
 * Returns the position of a column in the result of its source, which is a query or UNION. A UNION takes column names from its
 * first query, but types from all its queries. So if no column has the same name and type, the name alone decides.
 * @throws UntracedTreeError
 */
export function columnIndex({ name, type, source }: ColumnReference): number {
  const [first] = queriesOf(source)
  const returned = first?.returned ?? []
  const exact = returned.indexOf(`${name} ${type}`)
  if (exact >= 0) return exact
  const alike = returned.flatMap((text, index) => (text.startsWith(`${name} `) ? [index] : []))
  const [place] = alike
  if (place === undefined || alike.length > 1) throw new UntracedTreeError(name)
  return place
}

/**
 * Returns the expression at a position of a query's SELECT list.
 * @throws UntracedTreeError
 */
export function projected(query: ResolvedNode, place: number): ResolvedNode {
  const expression = resolvedElements(query, 'PROJECTION')[place]
  if (expression === undefined) throw new UntracedTreeError(query.text)
  return expression
}

/**
 * Returns the array that an ARRAY JOIN turns into this column.
 * @throws UntracedTreeError
 */
export function joinedArray(arrayJoin: ResolvedNode, column: string): ResolvedNode {
  const joined = resolvedElements(arrayJoin, 'JOIN EXPRESSIONS').find(element => resolvedColumn(element)?.name === column)
  const array = joined === undefined ? undefined : resolvedBranch(joined, 'EXPRESSION')
  if (array === undefined) throw new UntracedTreeError(arrayJoin.text)
  return array
}
