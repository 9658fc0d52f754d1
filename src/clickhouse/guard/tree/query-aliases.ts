import { branch, type TreeNode } from '../../../warehouse/query-tree.ts'
import { firstPart } from '../../../warehouse/table-names.ts'
import { isTableHeading } from './reference-graph.ts'

/** If a node has one of these kinds, its alias stands for a value. */
const VALUES = new Set(['CONSTANT', 'FUNCTION', 'IDENTIFIER', 'QUERY', 'UNION'])

/**
 * Returns the aliases that are visible in every clause of a query: those of its expressions, at any depth. Leaves out aliases in WITH, FROM,
 * lambdas and subqueries, because they are visible only there.
 */
export function ownAliases(query: TreeNode<string>): ReadonlySet<string> {
  const clauses = query.branches.filter(({ heading }) => heading !== 'WITH' && !isTableHeading(heading))
  return new Set(clauses.flatMap(({ node }) => aliasesOf(node)))
}

/**
 * Returns all names that may be aliases in a query. Includes aliases of subqueries, because the engine may resolve them in the outer query.
 * Leaves out aliases in FROM and in CTEs.
 */
export function mayBeAliasesOf(node: TreeNode): readonly string[] {
  return node.branches.flatMap(({ heading, node: child }) => {
    if (child.attributes.cte_name !== undefined) return []
    if (isTableHeading(heading)) return child.kind === 'QUERY' || child.kind === 'UNION' ? [] : mayBeAliasesOf(child)
    return [...(child.attributes.alias === undefined ? [] : [child.attributes.alias]), ...mayBeAliasesOf(child)]
  })
}

/**
 * Whether FROM contains one of these names, at any depth. The engine resolves FROM before it knows all tables, so such a name may mean a table.
 */
export function usesInFrom(query: TreeNode, names: ReadonlySet<string>): boolean {
  const joinTree = branch(query, 'JOIN TREE')
  return joinTree !== undefined && mentions(joinTree, name => names.has(name), true)
}

/** Returns the place where the query uses a name that passes the test `isMeant`: in FROM or in another clause. Ignores subqueries. */
export function placeOfUse(query: TreeNode, isMeant: (name: string) => boolean): 'from' | 'clause' | undefined {
  const joinTree = branch(query, 'JOIN TREE')
  if (joinTree !== undefined && !isSelect(joinTree) && mentions(joinTree, isMeant, false)) return 'from'
  return mentions(query, isMeant, false) ? 'clause' : undefined
}

/** @param inQueries whether to search subqueries too */
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
