import { firstPart, isTableHeading } from './name-graph.ts'
import { branch, type TreeNode } from './query-tree.ts'

/** Kinds of nodes whose alias stands for a value. */
const VALUES = new Set(['CONSTANT', 'FUNCTION', 'IDENTIFIER', 'QUERY', 'UNION'])

/**
 * Aliases that are found in every clause of a query: those of its expressions at whatever depth, but of WITH and FROM, of lambdas, and of queries in it,
 * which keep theirs to themselves.
 */
export function ownAliases(query: TreeNode<string>): ReadonlySet<string> {
  const clauses = query.branches.filter(({ heading }) => heading !== 'WITH' && !isTableHeading(heading))
  return new Set(clauses.flatMap(({ node }) => aliasesOf(node)))
}

/** All names that may be aliases in a query, as the engine may lend a subquery's to the query around it. Those in FROM and in CTEs stay there. */
export function mayBeAliasesOf(node: TreeNode): readonly string[] {
  return node.branches.flatMap(({ heading, node: child }) => {
    if (child.attributes.cte_name !== undefined) return []
    if (isTableHeading(heading)) return child.kind === 'QUERY' || child.kind === 'UNION' ? [] : mayBeAliasesOf(child)
    return [...(child.attributes.alias === undefined ? [] : [child.attributes.alias]), ...mayBeAliasesOf(child)]
  })
}

/** Whether anything in FROM of the query, at whatever depth, has one of these names: what it stands for is resolved before all tables are there. */
export function usesInFrom(query: TreeNode, names: ReadonlySet<string>): boolean {
  const joinTree = branch(query, 'JOIN TREE')
  return joinTree !== undefined && mentions(joinTree, name => names.has(name), true)
}

/** Where a query itself, without the queries in it, uses a name of which `isMeant` is true. */
export function placeOfUse(query: TreeNode, isMeant: (name: string) => boolean): 'from' | 'clause' | undefined {
  const joinTree = branch(query, 'JOIN TREE')
  if (joinTree !== undefined && !isSelect(joinTree) && mentions(joinTree, isMeant, false)) return 'from'
  return mentions(query, isMeant, false) ? 'clause' : undefined
}

/** @param inQueries whether the queries in it count */
function mentions({ attributes, branches }: TreeNode, isMeant: (name: string) => boolean, inQueries: boolean): boolean {
  const { identifier, function_name: functionName } = attributes
  if (identifier !== undefined && isMeant(firstPart(identifier))) return true
  if (functionName !== undefined && isMeant(functionName)) return true
  return branches.some(({ node }) => (inQueries || !isSelect(node)) && mentions(node, isMeant, inQueries))
}

function isSelect({ kind }: TreeNode): boolean {
  return kind === 'QUERY' || kind === 'UNION'
}

function aliasesOf(node: TreeNode<string>): readonly string[] {
  const { alias } = node.attributes
  const own = alias !== undefined && VALUES.has(node.kind) ? [alias] : []
  const keepsItsOwn = node.kind === 'LAMBDA' || node.kind === 'QUERY' || node.kind === 'UNION'
  return keepsItsOwn ? own : [...own, ...node.branches.flatMap(child => aliasesOf(child.node))]
}
