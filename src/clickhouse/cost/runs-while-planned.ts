import { elements, type TreeNode } from '../guard/query-tree.ts'

/** `in`, `globalNotIn`, `nullIn`, …: not `min` or `argMin`. */
const IN = /^(?:global)?(?:not)?(?:null)?in$/i

/**
 * Whether planning may run a part of the query: a subquery that stands where a value does (a scalar one, one in WITH that is no CTE, one to the right of IN),
 * or a name to the right of IN, which may be a table. Subqueries in FROM, in JOIN and in CTEs are only planned.
 */
export function runsWhilePlanned(tree: TreeNode): boolean {
  return runs(tree, true)
}

export function isIn({ kind, attributes }: TreeNode): boolean {
  return kind === 'FUNCTION' && IN.test(attributes.function_name ?? '')
}

function runs(node: TreeNode, standsForTable: boolean): boolean {
  if ((node.kind === 'QUERY' || node.kind === 'UNION') && !standsForTable) return true
  if (isIn(node)) {
    const [, right] = elements(node, 'ARGUMENTS')
    if (right?.kind === 'IDENTIFIER') return true
  }
  return node.branches.some(({ heading, node: child }) =>
    child.kind === 'LIST'
      ? child.branches.some(each => runs(each.node, isTableOfList(heading, each.node)))
      : runs(child, heading === 'JOIN TREE' || heading.endsWith('TABLE EXPRESSION')),
  )
}

function isTableOfList(heading: string, node: TreeNode): boolean {
  return heading === 'QUERIES' || (heading === 'WITH' && node.attributes.is_cte === '1')
}
