import { branch, elements, type TreeNode } from '../../warehouse/query-tree.ts'
import { isTableHeading } from '../guard/tree/reference-graph.ts'

/** Returns the ON conditions of all joins in FROM. */
export function joinConditions(node: TreeNode): readonly TreeNode[] {
  if (!['JOIN', 'CROSS JOIN', 'ARRAY_JOIN'].includes(node.kind)) return []
  const own = node.kind === 'JOIN' ? branch(node, 'JOIN EXPRESSION') : undefined
  const inner = node.branches.flatMap(child => (isTableHeading(child.heading) ? joinConditions(child.node) : []))
  // A LIST contains the columns of USING, so it is not a condition.
  return own === undefined || own.kind === 'LIST' ? inner : [own, ...inner]
}

/** Returns the column names in all USING clauses of FROM. */
export function usedColumns(node: TreeNode): readonly string[] {
  if (node.kind !== 'JOIN' && node.kind !== 'CROSS JOIN') return []
  return node.branches.flatMap(({ heading, node: child }) => {
    if (isTableHeading(heading)) return usedColumns(child)
    return child.kind === 'LIST' ? child.branches.flatMap(item => item.node.attributes.identifier ?? []) : []
  })
}

/** For each `a = b` in a condition, returns the pair `a` and `b`. */
export function equalityIn(condition: TreeNode): readonly (readonly [TreeNode, TreeNode])[] {
  const { function_name: name = '' } = condition.attributes
  const [left, right, ...others] = elements(condition, 'ARGUMENTS')
  return /^(?:equals|isNotDistinctFrom)$/.test(name) && left && right && others.length === 0 ? [[left, right]] : []
}
