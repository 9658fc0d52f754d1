import { elements, type TreeNode } from '../../warehouse/query-tree.ts'
import { isIn } from '../cost/runs-while-planned.ts'

/**
 * An upper or lower limit that a condition sets for a column, such as `o.day < t.until`. The condition may also accept NULL:
 * `t.until IS NULL OR o.day < t.until`.
 */
export interface ColumnBound {
  readonly column: TreeNode
  /** True if the column must be smaller than the other side. */
  readonly isBelow: boolean
  /** The other side of the comparison as a text. Equal expressions have the same text. */
  readonly other: string
}

/** Splits a condition at AND into its parts: `a AND b` becomes `a` and `b`. */
export function conjunctsOf(condition: TreeNode): readonly TreeNode[] {
  return condition.attributes.function_name === 'and' ? elements(condition, 'ARGUMENTS').flatMap(conjunctsOf) : [condition]
}

/**
 * Returns columns that a condition without `=` may limit to one value. Such a condition is:
 * - a flag (`t.is_current`), also negated
 * - `IS NULL`, which often marks current rows
 * - IN with a single value, or with a subquery that selects the latest row of each key
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

/** Returns the limits that a condition such as `day < t.until` sets for columns. */
export function boundsIn(condition: TreeNode): readonly ColumnBound[] {
  const { function_name: name = '' } = condition.attributes
  const [left, right] = elements(condition, 'ARGUMENTS')
  if (name === 'or') return elements(condition, 'ARGUMENTS').flatMap(boundsIn)
  if (left === undefined || right === undefined || !/^(?:less|greater)(?:OrEquals)?$/.test(name)) return []
  const isLess = name.startsWith('less')
  return [boundOf(left, isLess, right), boundOf(right, !isLess, left)].flat()
}

/** Returns all identifiers in an expression, also in nested calls. */
export function identifiersIn(node: TreeNode): readonly TreeNode[] {
  return node.attributes.identifier !== undefined ? [node] : node.branches.flatMap(child => identifiersIn(child.node))
}

function boundOf(side: TreeNode, isBelow: boolean, other: TreeNode): readonly ColumnBound[] {
  const [column, ...others] = identifiersIn(side)
  return column !== undefined && others.length === 0 ? [{ column, isBelow, other: textOf(other) }] : []
}

/** Turns a node into a text without the node numbers, so that equal expressions have the same text. */
function textOf(node: TreeNode): string {
  return JSON.stringify(node, (key, value) => (key === 'id' ? undefined : value))
}
