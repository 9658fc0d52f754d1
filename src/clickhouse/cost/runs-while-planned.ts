import type { TreeNode } from '../../warehouse/query-tree.ts'
import { IN_FUNCTIONS } from '../guard/calls/function-rules.ts'
import { inOperand } from '../guard/tree/reference-graph.ts'

/**
 * Whether planning may run a part of the query. It runs scalar subqueries, also in `WITH (SELECT 1) AS x`, and subqueries to the
 * right of IN. A bare name to the right of IN may mean such a subquery, or a table. Subqueries in FROM, JOIN and CTEs are only
 * planned.
 */
export function runsWhilePlanned(tree: TreeNode): boolean {
  return runs(tree, true)
}

/** Whether the query has a bare name after IN, as in `id IN paid`. The name may mean a table, or an alias of the outer query. */
export function namesSet(node: TreeNode): boolean {
  return isNamedSet(node) || node.branches.some(({ node: child }) => namesSet(child))
}

export function isIn({ kind, attributes }: TreeNode): boolean {
  return kind === 'FUNCTION' && IN_FUNCTIONS.has(attributes.function_name?.toLowerCase() ?? '')
}

function isNamedSet(node: TreeNode): boolean {
  return isIn(node) && inOperand(node)?.kind === 'IDENTIFIER'
}

function runs(node: TreeNode, standsForTable: boolean): boolean {
  if ((node.kind === 'QUERY' || node.kind === 'UNION') && !standsForTable) return true
  if (isNamedSet(node)) return true
  return node.branches.some(({ heading, node: child }) =>
    child.kind === 'LIST'
      ? child.branches.some(each => runs(each.node, isTableOfList(heading, each.node)))
      : runs(child, heading === 'JOIN TREE' || heading.endsWith('TABLE EXPRESSION')),
  )
}

function isTableOfList(heading: string, node: TreeNode): boolean {
  return heading === 'QUERIES' || (heading === 'WITH' && node.attributes.is_cte === '1')
}
