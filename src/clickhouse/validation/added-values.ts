import { branch, elements, type TreeNode } from '../../warehouse/query-tree.ts'

const ADDS_UP = /^(?:sum|avg|sumkahan|sumwithoverflow)(?:if|ornull|ordefault)*$/i
const DIVIDES = /^(?:intDiv|divide)(?:OrNull|OrZero|Decimal)?$/i
/** Functions whose result is yes or no. A sum of such results counts rows, whatever the arguments are. */
const ASKS =
  /^(?:not)?(?:equals|less|greater|lessOrEquals|greaterOrEquals|and|or|xor|not|i?like|(?:global)?(?:not)?(?:null)?in|isNull|isNotNull|isNotDistinctFrom|isDistinctFrom|empty|match|startsWith|endsWith|has|hasAny|hasAll)$/i

/**
 * Returns the calls in this SELECT that sum over rows, except window functions. Sums in a division are not included, since they may be meant per row:
 * bytes by capacity, 24 hours by 24.
 */
export function sumsIn(node: TreeNode): readonly TreeNode[] {
  const { function_name: name = '' } = node.attributes
  if (node.kind === 'QUERY' || node.kind === 'UNION') return []
  if (ADDS_UP.test(name) && branch(node, 'WINDOW') === undefined) return [node]
  const [, divisor] = elements(node, 'ARGUMENTS')
  if (DIVIDES.test(name) && divisor !== undefined && !isUnit(divisor)) return []
  return node.branches.flatMap(child => sumsIn(child.node))
}

/**
 * Returns the names whose values a call sums. In `sum(if(paid, amount, 0))` this is only `amount`. A call that counts rows, `sum(country = 'DE')`,
 * sums none.
 */
export function addedNames(node: TreeNode): readonly TreeNode[] {
  const { identifier, function_name: name = '' } = node.attributes
  if (identifier !== undefined) return [node]
  if (ASKS.test(name)) return []
  const all = elements(node, 'ARGUMENTS')
  const isLast = (index: number) => index === all.length - 1
  if (name === 'if') return all.slice(1).flatMap(addedNames)
  if (name === 'multiIf') return all.filter((_, index) => index % 2 === 1 || isLast(index)).flatMap(addedNames)
  if (name === 'caseWithExpression')
    return all.filter((_, index) => index > 0 && (index % 2 === 0 || isLast(index))).flatMap(addedNames)
  return node.branches.flatMap(child => addedNames(child.node))
}

/** Whether a constant is a power of ten or of 1,024. */
function isUnit({ kind, attributes: { constant_value: value = '' } }: TreeNode): boolean {
  const number = Number(value.slice(value.indexOf('_') + 1))
  return kind === 'CONSTANT' && (Number.isInteger(Math.log10(number)) || Number.isInteger(Math.log2(number) / 10))
}
