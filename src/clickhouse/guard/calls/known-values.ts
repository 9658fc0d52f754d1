import { elements, type TreeNode } from '../../../warehouse/query-tree.ts'
import { splitTokens } from '../../../warehouse/sql/sql-tokens.ts'
import { GUARD_LIMITS } from '../../limits.ts'

/**
 * Functions whose result is at most their largest argument. The number is the position of the first argument that matters: 1 for
 * `if`, because argument 0 is the condition.
 */
const PASSES_ON: Readonly<Record<string, number>> = {
  if: 1,
  multiif: 1,
  coalesce: 0,
  ifnull: 0,
  greatest: 0,
  max2: 0,
  assumenotnull: 0,
  materialize: 0,
  identity: 0,
  round: 0,
  floor: 0,
  ceil: 0,
  ceiling: 0,
  trunc: 0,
  abs: 0,
}
const CONVERSION = /^to(?:U?Int(?:8|16|32|64)|Float(?:32|64))(?:OrZero|OrNull)?$/i
/** Functions with few possible results, in lower case, each with its largest one. */
const SMALL_RESULTS: Readonly<Record<string, number>> = {
  touint8: 255,
  touint8orzero: 255,
  tohour: 23,
  tominute: 59,
  tosecond: 59,
  todayofweek: 7,
  todayofmonth: 31,
  todayofyear: 366,
  tomonth: 12,
  toquarter: 4,
  toisoweek: 53,
  toweek: 53,
}

/**
 * Finds values that follow from the query's text alone: `least(n, 10)` is at most 10. If the query defines a name several times,
 * every definition may apply.
 */
export class KnownValues {
  readonly #definitions = new Map<string, TreeNode[]>()

  constructor(root: TreeNode) {
    this.#collect(root)
  }

  /**
   * Returns the largest possible value of a number. Returns undefined if it depends on the data. Negative numbers also give
   * undefined, because subtracting one would add.
   */
  most(node: TreeNode, steps = 0): number | undefined {
    if (steps > GUARD_LIMITS.maxSteps) return undefined
    if (node.kind === 'CONSTANT') return constantNumber(node)
    if (node.kind === 'IDENTIFIER') {
      const definitions = this.definitions(node)
      return definitions.length === 0 ? undefined : greatest(definitions.map(one => this.most(one, steps + 1)))
    }
    if (node.kind !== 'FUNCTION') return undefined
    const name = node.attributes.function_name?.toLowerCase() ?? ''
    const bounds = elements(node, 'ARGUMENTS').map(argument => this.most(argument, steps + 1))
    const [first, second, third] = bounds
    if (Object.hasOwn(SMALL_RESULTS, name)) return Math.min(SMALL_RESULTS[name] ?? 0, first ?? Infinity)
    const from = Object.hasOwn(PASSES_ON, name) ? PASSES_ON[name] : undefined
    if (from !== undefined) return greatest(name === 'round' || name === 'trunc' ? bounds.slice(0, 1) : bounds.slice(from))
    if (CONVERSION.test(name)) return first
    switch (name) {
      case 'least':
      case 'min2':
        return bounds.reduce((least, bound) => (bound === undefined ? least : Math.min(bound, least ?? Infinity)), undefined)
      case 'clamp':
        return third
      case 'plus':
        return first === undefined || second === undefined ? undefined : first + second
      case 'multiply':
        return first === undefined || second === undefined ? undefined : first * second
      case 'minus':
        return second === undefined ? undefined : first
      case 'modulo':
      case 'positivemodulo':
        return second
      case 'intdiv':
      case 'divide': {
        const divisor = elements(node, 'ARGUMENTS')[1]
        const isWhole = divisor?.kind === 'CONSTANT' && (constantNumber(divisor) ?? 0) >= 1
        return isWhole ? first : undefined
      }
      case 'length':
      case 'lengthutf8': {
        const [text] = this.texts(elements(node, 'ARGUMENTS').slice(0, 1)) ?? []
        return text?.length
      }
      default:
        return undefined
    }
  }

  /**
   * Returns the string literals in the nodes, also in lists. Returns undefined if a node may have a text that is not a literal.
   */
  texts(nodes: readonly TreeNode[], steps = 0): readonly string[] | undefined {
    const all: string[] = []
    for (const node of nodes) {
      const texts = steps > GUARD_LIMITS.maxSteps ? undefined : this.#textsOf(node, steps)
      if (texts === undefined) return undefined
      all.push(...texts)
    }
    return all
  }

  /** Returns all expressions that the query defines under this name. For `t.x`, these are the definitions of `x`. */
  definitions({ attributes: { identifier = '' } }: TreeNode): readonly TreeNode[] {
    return this.#definitions.get(identifier.slice(identifier.lastIndexOf('.') + 1)) ?? []
  }

  #textsOf(node: TreeNode, steps: number): readonly string[] | undefined {
    if (node.kind === 'CONSTANT') return constantTexts(node)
    if (node.kind === 'IDENTIFIER') {
      const definitions = this.definitions(node)
      return definitions.length === 0 ? undefined : this.texts(definitions, steps + 1)
    }
    if (node.kind === 'FUNCTION' && node.attributes.function_name === 'array')
      return this.texts(elements(node, 'ARGUMENTS'), steps + 1)
    return undefined
  }

  #collect(node: TreeNode): void {
    const { alias } = node.attributes
    if (alias !== undefined) {
      const known = this.#definitions.get(alias)
      if (known === undefined) this.#definitions.set(alias, [node])
      else known.push(node)
    }
    for (const child of node.branches) this.#collect(child.node)
  }
}

/** Returns the string literals in a constant: a string, an array or a tuple. */
export function constantTexts({ attributes }: TreeNode): readonly string[] {
  const tokens = splitTokens(attributes.constant_value ?? '') ?? []
  return tokens.flatMap(({ kind, value }) => (kind === 'string' ? [value] : []))
}

function constantNumber({ attributes: { constant_value: value = '' } }: TreeNode): number | undefined {
  const digits = /^(?:U?Int\d+|Float\d+)_(\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(value)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function greatest(bounds: readonly (number | undefined)[]): number | undefined {
  return bounds.reduce(
    (most: number | undefined, bound) => (most === undefined || bound === undefined ? undefined : Math.max(most, bound)),
    0,
  )
}
