import { IN_FUNCTIONS } from '../clickhouse/guard/calls/function-rules.ts'
import { ownAliases } from '../clickhouse/guard/tree/query-aliases.ts'
import { aliasKey, cteKey, inOperand, isTableHeading, ReferenceGraph } from '../clickhouse/guard/tree/reference-graph.ts'
import { branch, elements, type TreeBranch, type TreeNode } from '../warehouse/query-tree.ts'

export interface NamedTables {
  /** The table names in FROM and JOIN, as the engine prints them: without quotes. */
  readonly tables: readonly string[]
  /** Names directly after IN, as in `id IN paid`. Such a name means a table, unless a column or an alias has the same name. */
  readonly besideIn: readonly string[]
  readonly tableFunctions: readonly string[]
  readonly functions: readonly string[]
}

type Node = TreeNode<string>

const NODE_LINE = /^( *)([A-Z_]+(?: [A-Z]+)*) id: \d+(?!\d)(.*)$/
/** The table name that the engine prints for a query without FROM. */
const NO_TABLE = 'system.one'

/** The meanings of names at one point inside a query. */
interface Seen {
  readonly ctes: ReadonlyMap<string, Node>
  /** Aliases, and columns that the query itself defines. The engine prefers both to tables of the same name, even in FROM. */
  readonly values: ReadonlySet<string>
  /** The CTEs and aliases whose definitions enclose this point, as keys of the reference graph. */
  readonly inside: readonly string[]
}

/**
 * Returns the tables that a query names. The name of a CTE is usually not a table. But inside the CTE's own definition, it is a
 * table: `WITH t AS (SELECT * FROM t)` reads a table `t`, unless the CTE is recursive. If `t` uses another CTE or alias, `t` is
 * also a table inside that one's definition. Call this only for SQL that its author is allowed to run, because, unlike the guard,
 * it accepts unknown syntax.
 * @param lines the output of `EXPLAIN QUERY TREE run_passes = 0`, where names are not resolved yet
 */
export function namedTables(lines: readonly string[]): NamedTables {
  const root = readTree(lines)
  return root === undefined
    ? { tables: [], besideIn: [], tableFunctions: [], functions: [] }
    : new TableNameCollector(root).found()
}

class TableNameCollector {
  readonly #tables = new Set<string>()
  readonly #besideIn = new Set<string>()
  readonly #tableFunctions = new Set<string>()
  readonly #functions = new Set<string>()
  readonly #graph: ReferenceGraph

  constructor(root: Node) {
    this.#graph = new ReferenceGraph(root)
    this.#visit(root, '', { ctes: new Map(), values: new Set(), inside: [] })
    this.#tables.delete(NO_TABLE)
  }

  found(): NamedTables {
    return {
      tables: [...this.#tables],
      besideIn: [...this.#besideIn],
      tableFunctions: [...this.#tableFunctions],
      functions: [...this.#functions],
    }
  }

  #visit(node: Node, heading: string, outer: Seen): void {
    const { identifier, function_name: name, table_function_name: tableFunction, alias } = node.attributes
    const isInFrom = isTableHeading(heading)
    const seen = isInFrom || alias === undefined ? outer : { ...outer, inside: [...outer.inside, aliasKey(alias)] }
    if (node.kind === 'IDENTIFIER' && identifier !== undefined && isInFrom && !this.#isCte(identifier, seen)) {
      this.#tables.add(identifier)
    }
    if (tableFunction !== undefined) this.#tableFunctions.add(tableFunction)
    if (name !== undefined) this.#functions.add(name)
    if (name !== undefined && IN_FUNCTIONS.has(name.toLowerCase())) {
      const operand = inOperand(node)?.attributes.identifier
      if (operand !== undefined && !this.#isCte(operand, seen) && !this.#isValue(operand, seen)) this.#besideIn.add(operand)
    }
    if (node.kind === 'QUERY') this.#query(node, seen)
    else for (const child of node.branches) this.#visit(child.node, child.heading, seen)
  }

  #query(node: Node, outer: Seen): void {
    const items = elements(node, 'WITH')
    const ctes = new Map([...outer.ctes, ...items.flatMap(item => withName(item.attributes.cte_name, item))])
    const joinTree = branch(node, 'JOIN TREE')
    const columns = joinTree === undefined ? [] : columnsOf(joinTree, ctes)
    const values = new Set([...outer.values, ...aliasesOf(items), ...ownAliases(node), ...columns])
    for (const item of items) {
      const cte = item.attributes.cte_name
      const inside = cte === undefined || item.attributes.is_recursive_cte === '1' ? outer.inside : [...outer.inside, cteKey(cte)]
      this.#visit(item, '', { ctes, values, inside })
    }
    for (const child of node.branches) {
      if (child.heading !== 'WITH') this.#visit(child.node, child.heading, { ...outer, ctes, values })
    }
  }

  #isCte(name: string, { ctes, inside }: Seen): boolean {
    return ctes.has(name) && !inside.some(definition => this.#graph.leads(cteKey(name), definition))
  }

  #isValue(name: string, { values, inside }: Seen): boolean {
    return values.has(name) && !inside.some(definition => this.#graph.leads(aliasKey(name), definition))
  }
}

/** Returns the column names that subqueries and CTEs in FROM define. The columns of real tables are unknown here. */
function columnsOf(node: Node, ctes: ReadonlyMap<string, Node>): readonly string[] {
  const { identifier } = node.attributes
  const cte = identifier === undefined ? undefined : ctes.get(identifier)
  if (cte !== undefined) return columnsOf(cte, new Map())
  if (node.kind === 'QUERY') return aliasesOf(elements(node, 'PROJECTION'))
  const [first] = elements(node, 'QUERIES')
  if (first !== undefined) return columnsOf(first, ctes)
  return [
    ...aliasesOf(elements(node, 'JOIN EXPRESSIONS')),
    ...node.branches.flatMap(child => (isTableHeading(child.heading) ? columnsOf(child.node, ctes) : [])),
  ]
}

function aliasesOf(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap(({ attributes: { alias } }) => alias ?? [])
}

function withName(name: string | undefined, node: Node): readonly (readonly [string, Node])[] {
  return name === undefined ? [] : [[name, node]]
}

function readTree(lines: readonly string[]): Node | undefined {
  let root: Node | undefined
  // The tree nodes around the current line, outermost first. Each has its depth, and the heading above its current child.
  const around: { readonly depth: number; readonly kind: string; readonly branches: TreeBranch<string>[]; heading: string }[] = []
  for (const line of lines.filter(text => text.trim() !== '')) {
    const [, indent = '', kind = '', rest = ''] = NODE_LINE.exec(line) ?? []
    const depth = kind === '' ? line.search(/\S/) : indent.length
    while ((around.at(-1)?.depth ?? -1) >= depth) around.pop()
    const parent = around.at(-1)
    if (kind === '') {
      if (parent !== undefined) parent.heading = line.trim()
      continue
    }
    const attributes = Object.fromEntries(
      [...rest.matchAll(/, (\w+): (.*?)(?=, \w+: |$)/g)].map(([, key, value]) => [key, value]),
    )
    const branches: TreeBranch<string>[] = []
    const node = { kind, attributes, branches }
    root ??= node
    parent?.branches.push({ heading: parent.kind === 'LIST' ? '' : parent.heading, node })
    around.push({ depth, kind, branches, heading: '' })
  }
  return root
}
