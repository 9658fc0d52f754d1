import { atOnce } from '../../base/at-once.ts'
import type { WorkedFigure } from './worked-figure.ts'
import type { WorkedPart } from './worked-part.ts'
import type { WorkBench } from './working.ts'

/** One side of a difference or ratio. */
export interface Operand {
  readonly expression: string
  readonly value: number
  readonly parts: readonly WorkedPart[]
}

/** The two operands of a working, in the order in which they are written. */
export interface Pair {
  readonly one: Operand
  readonly other: Operand
}

/** A difference. `base` is set for a percentage: the operand that the percentage divides by. */
export interface Difference extends Pair {
  readonly base?: Operand
}

/** Parses `a / b`. Undefined for any other expression. */
export function ratioOf({ expression }: WorkedFigure, bench: WorkBench): Pair | undefined {
  const [over, under, ...more] = splitAt(unwrapped(expression), '/')
  const [one, other] = [over, under].map(text => (text === undefined ? undefined : operandOf(unwrapped(text), bench)))
  return one && other && more.length === 0 ? { one, other } : undefined
}

/** Parses `a - b`, `100 * (a - b) / b` and `100 * a / b - 100`. Undefined for any other expression. */
export function differenceOf({ expression }: WorkedFigure, bench: WorkBench): Difference | undefined {
  const [plain, divisor, ...more] = splitAt(unwrapped(expression), '/')
  const pair = (first: string | undefined, second: string | undefined, base?: string): Difference | undefined => {
    const [one, other] = [first, second].map(text => (text === undefined ? undefined : operandOf(unwrapped(text), bench)))
    if (one === undefined || other === undefined) return undefined
    const isBase = (side: Operand) => base !== undefined && bare(side.expression) === bare(unwrapped(base))
    const found = [one, other].find(isBase)
    return { one, other, ...(found && { base: found }) }
  }
  const terms = splitAt(unwrapped(expression), '-')
  const [first = '', second = '', ...rest] = terms
  if (terms.length > 1 && rest.length === 0) {
    // Here, the expression is `100 * a / b - 100` or `100 - 100 * a / b`.
    const ratio = /^100$/.test(bare(second)) ? first : /^100$/.test(bare(first)) ? second : undefined
    if (ratio === undefined) return pair(first, second)
    const [over, under, ...others] = splitAt(withoutHundred(unwrapped(ratio)), '/')
    return others.length > 0 ? undefined : pair(over, under, under)
  }
  if (plain === undefined || more.length > 0) return undefined
  const inner = splitAt(unwrapped(withoutHundred(plain)), '-')
  return inner.length === 2 ? pair(inner[0], inner[1], divisor?.replace(/\*\s*100\s*$/, '')) : undefined
}

function operandOf(expression: string, bench: WorkBench): Operand | undefined {
  const outcome = atOnce(bench.workOut(expression))
  return 'fault' in outcome || Number.isNaN(outcome.value) ? undefined : { expression, ...outcome }
}

function withoutHundred(text: string): string {
  return text.replace(/^\s*100\s*\*\s*/, '').replace(/(?<!\s)\s*\*\s*100\s*$/, '')
}

function bare(text: string): string {
  return text.replace(/\s/g, '').toLowerCase()
}

/** Removes `abs(…)`, `round(…)` or parentheses around a whole expression. */
function unwrapped(text: string): string {
  const inner = /^\s*(?:abs|round)?\((.*?)(?:,\s*\d+)?\)\s*$/is.exec(text)?.[1]
  return inner !== undefined && isBalanced(inner) ? unwrapped(inner) : text.trim()
}

function isBalanced(text: string): boolean {
  let depth = 0
  for (const sign of text) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (depth < 0) return false
  }
  return depth === 0
}

/** Splits an expression at a sign. A sign in parentheses, brackets or quotes does not count. */
function splitAt(expression: string, sign: string): string[] {
  const parts = ['']
  let depth = 0
  let quote = ''
  for (const each of expression) {
    if (quote !== '') quote = each === quote ? '' : quote
    else if (/['"`]/.test(each)) quote = each
    else if (/[([]/.test(each)) depth += 1
    else if (/[)\]]/.test(each)) depth -= 1
    if (each === sign && depth === 0 && quote === '') parts.push('')
    else parts[parts.length - 1] += each
  }
  return parts
}
