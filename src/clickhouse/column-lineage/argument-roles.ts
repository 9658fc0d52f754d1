import type { Transformation } from '../../warehouse/column-lineage.ts'

/** With this combinator (`sumIf`, `countIfOrNull`, `avgArrayIf`), the last argument of an aggregate function is a condition. */
const IF_COMBINATOR = /If(?=$|[A-Z])/

/**
 * Returns how an argument of a function contributes to the function's value.
 * @param type the engine's word: ordinary, aggregate or window
 */
export function argumentRole(
  { name, type, count }: { readonly name: string; readonly type: string; readonly count: number },
  index: number,
): Transformation {
  const isLast = index === count - 1
  if (type !== 'ordinary') return isLast && IF_COMBINATOR.test(name) ? 'CONDITIONAL' : 'AGGREGATION'
  switch (name) {
    case 'if':
      return index === 0 ? 'CONDITIONAL' : 'TRANSFORMATION'
    case 'multiIf':
      return index % 2 === 0 && !isLast ? 'CONDITIONAL' : 'TRANSFORMATION'
    case 'caseWithExpression':
      return index === 0 || (index % 2 === 1 && !isLast) ? 'CONDITIONAL' : 'TRANSFORMATION'
    default:
      return 'TRANSFORMATION'
  }
}
