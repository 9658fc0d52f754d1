/** A query of the engine's, as far as it matters which tables it names. */
export interface NamedTables {
  /** In FROM and JOIN, as the engine prints them: without quotes. */
  readonly tables: readonly string[]
  /** Bare names to the right of IN, which are tables where there is no column or alias of that name. */
  readonly besideIn: readonly string[]
  readonly tableFunctions: readonly string[]
  readonly functions: readonly string[]
}

interface Node {
  readonly kind: string
  readonly attributes: Readonly<Record<string, string | undefined>>
  readonly branches: { readonly heading: string; readonly node: Node }[]
}

const NODE_LINE = /^( *)([A-Z_]+(?: [A-Z]+)*) id: \d+(.*)$/
const TABLE_HEADINGS: ReadonlySet<string> = new Set([
  'JOIN TREE',
  'TABLE EXPRESSION',
  'LEFT TABLE EXPRESSION',
  'RIGHT TABLE EXPRESSION',
])
const IN_FUNCTION = /^(?:global)?(?:not)?(?:null)?in(?:ignoreset)?$/i
/** What the engine reads where a query has no FROM. */
const NO_TABLE = 'system.one'

/**
 * The tables that a query names, by the lines of `EXPLAIN QUERY TREE run_passes = 0`, which looks nothing up. CTEs are no tables; a CTE's name within its own definition
 * is one, unless it is recursive. For SQL that its author may run: unlike the guard, it lets pass what it does not know.
 */
export function namedTables(lines: readonly string[]): NamedTables {
  const found = {
    tables: new Set<string>(),
    besideIn: new Set<string>(),
    tableFunctions: new Set<string>(),
    functions: new Set<string>(),
  }
  const visit = ({ kind, attributes, branches }: Node, heading: string, outer: ReadonlySet<string>): void => {
    const { identifier, function_name: name, table_function_name: tableFunction } = attributes
    if (kind === 'IDENTIFIER' && identifier !== undefined && TABLE_HEADINGS.has(heading) && !outer.has(identifier)) {
      found.tables.add(identifier)
    }
    if (tableFunction !== undefined) found.tableFunctions.add(tableFunction)
    if (name !== undefined) found.functions.add(name)
    if (name !== undefined && IN_FUNCTION.test(name)) {
      const operand = branches.find(branch => branch.heading === 'ARGUMENTS')?.node.branches[1]?.node.attributes.identifier
      if (operand !== undefined && !outer.has(operand)) found.besideIn.add(operand)
    }
    let ctes = outer
    for (const branch of branches) {
      if (branch.heading !== 'WITH') {
        visit(branch.node, branch.heading, ctes)
        continue
      }
      for (const { node } of branch.node.branches) {
        const cte = node.attributes.cte_name
        const before = ctes
        if (cte !== undefined) ctes = new Set([...ctes, cte])
        visit(node, '', node.attributes.is_recursive_cte === '1' ? ctes : before)
      }
    }
  }
  const root = readTree(lines)
  if (root !== undefined) visit(root, '', new Set())
  found.tables.delete(NO_TABLE)
  return {
    tables: [...found.tables],
    besideIn: [...found.besideIn],
    tableFunctions: [...found.tableFunctions],
    functions: [...found.functions],
  }
}

function readTree(lines: readonly string[]): Node | undefined {
  let root: Node | undefined
  // The nodes around a line, each with its depth, and the heading that stands between.
  const around: { readonly depth: number; readonly node: Node; heading: string }[] = []
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
    const node: Node = { kind, attributes, branches: [] }
    root ??= node
    parent?.node.branches.push({ heading: parent.node.kind === 'LIST' ? '' : parent.heading, node })
    around.push({ depth, node, heading: '' })
  }
  return root
}
