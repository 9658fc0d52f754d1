import type { Transformation } from './column-lineage.ts'

/** `sumIf`, `countIfOrNull`, `avgArrayIf`: the combinator takes its condition as the last argument. */
const IF_COMBINATOR = /If(?=$|[A-Z])/

/**
 * What each argument of a function is to its value.
 * @param type as the engine says: ordinary, aggregate or window
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
