import { elements, type TreeNode } from '../../../warehouse/query-tree.ts'
import { type SqlToken, splitTokens } from '../../../warehouse/sql/sql-tokens.ts'
import { GUARD_LIMITS } from '../../limits.ts'
import { CALL_BOUNDS } from './call-bounds.ts'
import type { FunctionList } from './function-list.ts'

/**
 * Functions with a text argument that the engine itself parses, and its position (26.7). An `aggregate` text names an aggregate
 * function. The engine evaluates its parameters, so `arrayReduce('quantile(length(file(…)))', …)` would read a file. A `type`
 * text names a type.
 */
const TEXT_ARGUMENTS: Readonly<Record<string, readonly ['aggregate' | 'type', position: number]>> = {
  arrayReduce: ['aggregate', 0],
  arrayReduceInRanges: ['aggregate', 0],
  initializeAggregation: ['aggregate', 0],
  CAST: ['type', 1],
  accurateCast: ['type', 1],
  accurateCastOrDefault: ['type', 1],
  accurateCastOrNull: ['type', 1],
  defaultValueOfTypeName: ['type', 0],
  dynamicElement: ['type', 1],
  variantElement: ['type', 1],
  JSONExtract: ['type', -1],
  JSONExtractCaseInsensitive: ['type', -1],
  JSONExtractKeysAndValues: ['type', -1],
  JSONExtractKeysAndValuesCaseInsensitive: ['type', -1],
}
const STATE = /(?<!simple)aggregatefunction/i
const STATE_TYPES = new Set(['aggregatefunction', 'simpleaggregatefunction'])
/** The symbols of types such as `Array(String)`. None of them can begin a comment or an unusual quotation. */
const TYPE_SYMBOLS = new Set('(),=.+-:[]'.split(''))
const PARAMETER_SYMBOLS = new Set('(),+-[]'.split(''))
const PARAMETER_WORDS = new Set(['null', 'true', 'false', 'inf', 'nan'])
/** Matches a column declaration that may compute values, such as `y String ALIAS file(…)`. */
const COMPUTED_COLUMN = /default|alias|materialized|ephemeral|codec|ttl|aggregatefunction|[`"\\]/i

export interface TextArguments {
  /** The allowed aggregate functions that the text arguments contain, under the engine's own names. */
  readonly functions: readonly string[]
  /** The text of a refused argument: it cannot be parsed, or names a forbidden function. */
  readonly refused: string | undefined
}

const NOTHING: TextArguments = { functions: [], refused: undefined }

/**
 * Judges an argument whose text the engine parses as a function or a type.
 * @param name the called function, under the engine's name
 * @param isStored whether an expression is a column of a table
 */
export function judgeTextArguments(
  name: string,
  node: TreeNode,
  list: FunctionList,
  isStored: (node: TreeNode) => boolean,
): TextArguments {
  const rule = Object.hasOwn(TEXT_ARGUMENTS, name) ? TEXT_ARGUMENTS[name] : undefined
  if (rule === undefined) return NOTHING
  const [kind, position] = rule
  const argument = elements(node, 'ARGUMENTS').at(position)
  if (argument === undefined) return NOTHING
  const text = textOf(argument)
  if (text === undefined) return { ...NOTHING, refused: `the argument of ${name}` }
  if (kind === 'aggregate') return judgeAggregate(text, list)
  const [operand] = elements(node, 'ARGUMENTS')
  const isState = name === 'CAST' && operand !== undefined && (isStored(operand) || makesState(operand))
  return STATE.test(text) && !isState ? { ...NOTHING, refused: text } : judgeType(text, list)
}

/**
 * Whether a call computes the state of an aggregate function, which is safe to cast. A state cast from text would be raw bytes,
 * which the engine trusts without a check.
 */
function makesState({ attributes: { function_name: name = '' } }: TreeNode): boolean {
  return name === 'arrayReduce' || name === 'initializeAggregation' || name.endsWith('State')
}

/**
 * Judges the first argument of `values('x UInt8, y String ALIAS file(…)', …)`. This text may declare columns with any expression.
 */
export function judgeStructure(node: TreeNode, list: FunctionList): TextArguments {
  const [first, second] = elements(node, 'ARGUMENTS')
  if (first === undefined || second === undefined) return NOTHING
  if (first.kind === 'IDENTIFIER') return { ...NOTHING, refused: first.attributes.identifier }
  const text = textOf(first)
  if (text === undefined) return NOTHING
  return isListOfColumns(text) && !STATE.test(text)
    ? judgeType(text, list)
    : { ...NOTHING, refused: COMPUTED_COLUMN.test(text) ? text : undefined }
}

function textOf({ kind, attributes }: TreeNode): string | undefined {
  if (kind !== 'CONSTANT' || attributes.constant_value_type !== 'String') return undefined
  const tokens = splitTokens(attributes.constant_value ?? '')
  return tokens?.length === 1 && tokens[0]?.kind === 'string' ? tokens[0].value : undefined
}

/**
 * Judges a text that names an aggregate function, such as `quantile(0.5)`. The engine takes everything before the parenthesis for
 * the function's name, so it must be one plain word.
 */
function judgeAggregate(text: string, list: FunctionList): TextArguments {
  const tokens = splitTokens(text) ?? []
  const [name, ...parameters] = tokens
  const isName = name?.kind === 'word' && text.startsWith(name.text)
  const isWhole = parameters.length === 0 ? text === name?.text : parameters[0]?.text === '(' && parameters.at(-1)?.text === ')'
  if (!isName || !isWhole || !parameters.every(isParameter)) return { ...NOTHING, refused: text }
  return judgeNames([name.value], text, list)
}

function judgeType(text: string, list: FunctionList): TextArguments {
  const tokens = splitTokens(text)
  if (tokens === undefined || !tokens.every(isTypeToken)) return { ...NOTHING, refused: text }
  const names: string[] = []
  for (const [index, token] of tokens.entries()) {
    if (!STATE_TYPES.has(token.value.toLowerCase()) || token.kind === 'string') continue
    const name = aggregateOfState(tokens.slice(index + 1))
    if (name === undefined) return { ...NOTHING, refused: text }
    names.push(name)
  }
  return judgeNames(names, text, list)
}

/**
 * Returns the function in the arguments of AggregateFunction: `quantiles` for `(quantiles(0.5), UInt8)`. A version number may
 * precede it.
 */
function aggregateOfState([bracket, ...others]: readonly SqlToken[]): string | undefined {
  const [name, next, ...rest] = others[0]?.kind === 'number' && others[1]?.text === ',' ? others.slice(2) : others
  if (bracket?.text !== '(' || (name?.kind !== 'word' && name?.kind !== 'name')) return undefined
  if (next?.text === ',' || next?.text === ')') return name.value
  const end = rest.findIndex(({ text }) => text === ')')
  return next?.text === '(' && end >= 0 && rest.slice(0, end).every(isParameter) ? name.value : undefined
}

function judgeNames(names: readonly string[], text: string, list: FunctionList): TextArguments {
  const found = names.map(name => list.find(name))
  // The text shows no arguments, so a function's cost limit cannot be checked. Functions with such a limit are refused.
  const isAllowed = found.every(
    known => known?.aggregate && known.allowed && !Object.hasOwn(CALL_BOUNDS, known.base) && !/Resample/.test(known.name),
  )
  return { functions: found.flatMap(known => known?.name ?? []), refused: isAllowed ? undefined : text }
}

/** Whether a text only lists columns with their types, such as `a UInt8, b Array(String)`. */
function isListOfColumns(text: string): boolean {
  const columns: SqlToken[][] = [[]]
  let depth = 0
  for (const token of splitTokens(text) ?? []) {
    if (token.text === ')') depth -= 1
    if (token.text === ',' && depth === 0) columns.push([])
    else if (depth === 0) columns.at(-1)?.push(token)
    if (token.text === '(') depth += 1
  }
  return columns.every(([name, type, ...brackets]) => {
    const isNamed = name?.kind === 'word' || name?.kind === 'name'
    return isNamed && type?.kind === 'word' && ['', '()'].includes(brackets.map(({ text }) => text).join(''))
  })
}

function isTypeToken({ kind, text }: SqlToken): boolean {
  if (kind === 'number') return Number(text) <= GUARD_LIMITS.maxTypeNumber
  return kind === 'symbol' ? TYPE_SYMBOLS.has(text) : kind !== 'name' || !text.includes('\\')
}

function isParameter({ kind, text }: SqlToken): boolean {
  if (kind === 'symbol') return PARAMETER_SYMBOLS.has(text)
  return kind === 'number' || kind === 'string' || (kind === 'word' && PARAMETER_WORDS.has(text.toLowerCase()))
}
