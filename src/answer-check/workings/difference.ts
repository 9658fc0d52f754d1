import type { Operand } from './worked-part.ts'

/** The two operands of a working, in the order in which they are written. */
export interface Pair {
  readonly one: Operand
  readonly other: Operand
}

/** A difference. `base` is set for a percentage: the operand that the percentage divides by. */
export interface Difference extends Pair {
  readonly base?: Operand
}

/** Returns the operands of `a / b` and `100 * a / b`. Undefined for any other working. */
export function ratioOf(whole: Operand): Pair | undefined {
  const { join } = withoutHundred(whole)
  return join?.operator === '/' ? { one: withoutHundred(join.one), other: join.other } : undefined
}

/** Returns the operands of `a - b`, `100 * (a - b) / b` and `100 * a / b - 100`. Undefined for any other working. */
export function differenceOf(whole: Operand): Difference | undefined {
  const ratio = ratioOf(whole)
  const join = (ratio?.one ?? whole).join
  if (join?.operator !== '-') return undefined
  const { one, other } = join
  const base = [one, other].find(({ text }) => text === ratio?.other.text)
  if (ratio !== undefined) return { one, other, ...(base && { base }) }
  const share = isHundred(other) ? one : isHundred(one) ? other : undefined
  if (share === undefined) return { one, other }
  const parts = ratioOf(share)
  return parts && { ...parts, base: parts.other }
}

function isHundred({ text }: Operand): boolean {
  return text === '100'
}

function withoutHundred(operand: Operand): Operand {
  const { operator, one, other } = operand.join ?? {}
  if (operator !== '*' || one === undefined || other === undefined) return operand
  return isHundred(one) ? other : isHundred(other) ? one : operand
}
