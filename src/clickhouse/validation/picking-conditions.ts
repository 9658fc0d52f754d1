import { isIn } from '../cost/runs-while-planned.ts'
import { elements, type TreeNode } from '../guard/query-tree.ts'

/** That a column lies on one side of something, in a condition that must hold or, `t.until IS NULL OR o.day < t.until`, be missing. */
export interface ColumnBound {
  readonly column: TreeNode
  /** Whether the column is the smaller one. */
  readonly isBelow: boolean
  /** The other side, the same text for the same thing. */
  readonly other: string
}

/** The conditions that must hold for one to hold. */
export function conjunctsOf(condition: TreeNode): readonly TreeNode[] {
  return condition.attributes.function_name === 'and' ? elements(condition, 'ARGUMENTS').flatMap(conjunctsOf) : [condition]
}

/**
 * The columns of which a condition may leave one value, other than by `=`: a flag, `t.is_current`, also under NOT; `IS NULL`, which marks what goes on; IN with one value, or
 * with a subquery, which may choose the last of each.
 */
export function pickedBy(condition: TreeNode): readonly TreeNode[] {
  const { function_name: name = '', identifier } = condition.attributes
  if (identifier !== undefined) return [condition]
  const [left, right] = elements(condition, 'ARGUMENTS')
  if (left === undefined) return []
  if (name === 'not') return pickedBy(left)
  if (name === 'isNull') return [left]
  return isIn(condition) && !/^(?:Tuple|Array)\(/.test(right?.attributes.constant_value_type ?? '') ? identifiersIn(left) : []
}

/** The bounds of columns that a condition sets. */
export function boundsIn(condition: TreeNode): readonly ColumnBound[] {
  const { function_name: name = '' } = condition.attributes
  const [left, right] = elements(condition, 'ARGUMENTS')
  if (name === 'or') return elements(condition, 'ARGUMENTS').flatMap(boundsIn)
  if (left === undefined || right === undefined || !/^(?:less|greater)(?:OrEquals)?$/.test(name)) return []
  const isLess = name.startsWith('less')
  return [boundOf(left, isLess, right), boundOf(right, !isLess, left)].flat()
}

/** The names in an expression, at whatever depth. */
export function identifiersIn(node: TreeNode): readonly TreeNode[] {
  return node.attributes.identifier !== undefined ? [node] : node.branches.flatMap(child => identifiersIn(child.node))
}

function boundOf(side: TreeNode, isBelow: boolean, other: TreeNode): readonly ColumnBound[] {
  const [column, ...others] = identifiersIn(side)
  return column !== undefined && others.length === 0 ? [{ column, isBelow, other: textOf(other) }] : []
}

/** Without the numbers that nodes have. */
function textOf(node: TreeNode): string {
  return JSON.stringify(node, (key, value) => (key === 'id' ? undefined : value))
}
