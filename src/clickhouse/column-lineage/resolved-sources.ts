import { type ResolvedNode, resolvedBranch, resolvedColumn, resolvedElements } from '../resolved-tree.ts'

/** The tree has something that is not known here: rather no lineage than a wrong one. */
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
/** The look ahead finds the first place and no other: without it, a text full of such places takes time by its square. */
const RECURSIVE_TABLE = /^(?=(.*?(?:^|, )recursive_cte_table: ))\1.*\(([^\s(]+)\)/

/** A COLUMN's own text. */
export interface ColumnReference {
  readonly name: string
  readonly type: string
  /** What it is a column of. */
  readonly source: ResolvedNode
}

/** What the columns of a resolved tree are columns of. */
export class ResolvedSources {
  readonly #byId = new Map<string, ResolvedNode>()
  /** By the identifier of the table in which the engine keeps their rows meanwhile. */
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

  /** @throws UntracedTreeError */
  reference(column: ResolvedNode): ColumnReference {
    const { name = '', type = '', sourceId = '' } = resolvedColumn(column) ?? {}
    const source = this.#byId.get(sourceId)
    if (source === undefined) throw new UntracedTreeError(column.text)
    return { name, type, source }
  }

  /** The recursive CTE that a table stands for where the CTE reads itself. */
  recursive(table: ResolvedNode): ResolvedNode | undefined {
    const id = attribute(table, 'table_name')?.split('._tmp_')[1]
    return id === undefined ? undefined : this.#recursive.get(id)
  }

  /** The tables, as `database.table`, whose columns have to be known: those that stand to the right of IN, and those whose columns are named with a dot, since it may lead to a part of one. */
  get tablesToDescribe(): readonly string[] {
    const named = this.#dotted.map(column => this.reference(column).source).filter(({ kind }) => kind === 'TABLE')
    return [...new Set([...named, ...this.#whole].map(tableName))]
  }
}

/** `database.table`, or `_table_function.<name>`, which is how the engine itself calls their database. @throws UntracedTreeError */
export function tableName(node: ResolvedNode): string {
  const called = attribute(node, 'table_function_name')
  const name = called === undefined ? attribute(node, 'table_name') : `_table_function.${called}`
  if (name === undefined) throw new UntracedTreeError(node.text)
  return name
}

/** The value of an attribute in a node's line. */
export function attribute(node: ResolvedNode, key: string): string | undefined {
  return new RegExp(`(?:^|, )${key}: ([^,]+)`).exec(node.text)?.[1]
}

/** The queries of a UNION, or the query itself. */
export function queriesOf(node: ResolvedNode): readonly ResolvedNode[] {
  return node.kind === 'UNION' ? resolvedElements(node, 'QUERIES').flatMap(queriesOf) : [node]
}

/** UNION_ALL, EXCEPT_DISTINCT, … */
export function unionMode(union: ResolvedNode): string {
  return attribute(union, 'union_mode') ?? ''
}

/** At which place a query returns a column: the names are those of a UNION's first query, the types those of all. @throws UntracedTreeError */
export function placeOf({ name, type, source }: ColumnReference): number {
  const [first] = queriesOf(source)
  const returned = first?.returned ?? []
  const exact = returned.indexOf(`${name} ${type}`)
  if (exact >= 0) return exact
  const alike = returned.flatMap((text, index) => (text.startsWith(`${name} `) ? [index] : []))
  const [place] = alike
  if (place === undefined || alike.length > 1) throw new UntracedTreeError(name)
  return place
}

/** What a query returns at a place. @throws UntracedTreeError */
export function projected(query: ResolvedNode, place: number): ResolvedNode {
  const expression = resolvedElements(query, 'PROJECTION')[place]
  if (expression === undefined) throw new UntracedTreeError(query.text)
  return expression
}

/** The array whose elements a column of ARRAY JOIN are. @throws UntracedTreeError */
export function joinedArray(arrayJoin: ResolvedNode, column: string): ResolvedNode {
  const joined = resolvedElements(arrayJoin, 'JOIN EXPRESSIONS').find(element => resolvedColumn(element)?.name === column)
  const array = joined === undefined ? undefined : resolvedBranch(joined, 'EXPRESSION')
  if (array === undefined) throw new UntracedTreeError(arrayJoin.text)
  return array
}
