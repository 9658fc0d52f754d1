import { type Rejection, rejection } from '../../warehouse/guard/rejection.ts'
import { POSTGRES_LIMITS } from '../limits.ts'
import type { TreeNode, TreeValue } from './node-tree.ts'
import { type FunctionCall, isNode, value } from './query-facts.ts'
import type { ServerObjects } from './server-objects.ts'

const { maxCopies, maxGeneratedRows } = POSTGRES_LIMITS.guard

/** Functions whose second argument is the length of their result, or a number of copies. */
const SIZED: ReadonlySet<string> = new Set(['repeat', 'lpad', 'rpad', 'bpchar', 'bit'])
const WHOLE_NUMBERS: ReadonlySet<string | undefined> = new Set(['20', '21', '23'])

/**
 * Finds a call that would make a huge text or number of rows from numbers in the query. Even EXPLAIN computes such a text.
 * A size that comes from a column is left to the server's limits.
 */
export function findCallFault(calls: readonly FunctionCall[], server: ServerObjects): Rejection | undefined {
  for (const { oid, arguments: given } of calls) {
    const name = server.functions.get(oid) ?? ''
    const [first, second] = given
    if (SIZED.has(name) && second !== undefined && !isSmall(second)) {
      return rejection('function', `The second argument of ${name} must be a number of at most ${maxCopies}.`)
    }
    if (name === 'generate_series' && first !== undefined && second !== undefined && generatesTooMany(first, second, given[2])) {
      return rejection(
        'function',
        `generate_series may return at most ${maxGeneratedRows} rows: choose a shorter range or a longer step.`,
      )
    }
  }
  return undefined
}

function isSmall(size: TreeNode): boolean {
  const number = numberOf(size)
  return number === undefined ? readsColumn(size) : number <= maxCopies
}

function generatesTooMany(first: TreeNode, last: TreeNode, step: TreeNode | undefined): boolean {
  const [from, to, by] = [numberOf(first), numberOf(last), step === undefined ? 1 : numberOf(step)]
  return from !== undefined && to !== undefined && Math.abs(to - from) / Math.abs(by || 1) > maxGeneratedRows
}

/** Returns a whole number that stands in the query, also behind a cast. Undefined for anything else. */
function numberOf(node: TreeNode): number | undefined {
  const [only] = node.fields.get('args') ?? []
  if (node.kind === 'FUNCEXPR' && Array.isArray(only) && only.length === 1 && isNode(only[0])) return numberOf(only[0])
  const [, bracket, ...bytes] = node.fields.get('constvalue') ?? []
  if (node.kind !== 'CONST' || bracket !== '[' || !WHOLE_NUMBERS.has(value(node, 'consttype'))) return undefined
  const numbers = bytes.slice(0, 8).map(byte => Number(byte) & 0xff)
  const number = Buffer.from(numbers).readBigInt64LE()
  return Number(number)
}

function readsColumn(each: TreeValue): boolean {
  if (typeof each === 'string') return false
  if (!isNode(each)) return each.some(readsColumn)
  return each.kind === 'VAR' || [...each.fields.values()].some(values => values.some(readsColumn))
}
