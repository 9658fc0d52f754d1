import { branch, type TreeNode } from '../../../warehouse/query-tree.ts'
import { firstPart } from '../../../warehouse/table-names.ts'
import { isTableHeading } from './reference-graph.ts'

/** The alias of a node of these kinds stands for a value. */
const VALUES = new Set(['CONSTANT', 'FUNCTION', 'IDENTIFIER', 'QUERY', 'UNION'])

/**
 * Returns the aliases that every clause of a query can use: those of its expressions, however deeply nested. Aliases in WITH,
 * FROM, lambdas and subqueries are left out, because they are visible only there.
 */
export function ownAliases(query: TreeNode<string>): ReadonlySet<string> {
  const clauses = query.branches.filter(({ heading }) => heading !== 'WITH' && !isTableHeading(heading))
  return new Set(clauses.flatMap(({ node }) => aliasesOf(node)))
}

/**
 * Returns all names that may be aliases in a query, also those inside subqueries, which the engine may resolve in the outer
 * query. Aliases in FROM and in CTEs are left out.
 */
export function mayBeAliasesOf(node: TreeNode): readonly string[] {
  return node.branches.flatMap(({ heading, node: child }) => {
    if (child.attributes.cte_name !== undefined) return []
    if (isTableHeading(heading)) return child.kind === 'QUERY' || child.kind === 'UNION' ? [] : mayBeAliasesOf(child)
    return [...(child.attributes.alias === undefined ? [] : [child.attributes.alias]), ...mayBeAliasesOf(child)]
  })
}

/**
 * Whether FROM uses one of these names, however deeply nested. The engine resolves FROM before it knows all tables, so such a
 * name may mean a table.
 */
export function usesInFrom(query: TreeNode, names: ReadonlySet<string>): boolean {
  const joinTree = branch(query, 'JOIN TREE')
  return joinTree !== undefined && mentions(joinTree, name => names.has(name), true)
}

/** Returns where the query uses a name that `isMeant` accepts: in FROM, or in another clause. Subqueries are ignored. */
export function placeOfUse(query: TreeNode, isMeant: (name: string) => boolean): 'from' | 'clause' | undefined {
  const joinTree = branch(query, 'JOIN TREE')
  if (joinTree !== undefined && !isSelect(joinTree) && mentions(joinTree, isMeant, false)) return 'from'
  return mentions(query, isMeant, false) ? 'clause' : undefined
}

/** @param inQueries whether subqueries are searched too */
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
