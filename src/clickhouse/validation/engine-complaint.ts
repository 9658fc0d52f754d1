import { SERVER_LIMITS } from '../limits.ts'
import { SERVER_CODES } from '../server-codes.ts'
import { withoutInternals } from '../server-failure.ts'

/** The facts in an engine's error message about a query, such as the unknown name. */
export type EngineComplaint =
  | {
      readonly kind: 'unknown_column'
      /** The unknown name as the query writes it, such as `code` or `l.code`. */
      readonly name: string
      /** Where the engine looked for the name. */
      readonly place: 'query' | 'table' | 'subquery' | 'using'
      /** Similar names that the engine suggests, with the qualifiers of the query, such as `l.code`. */
      readonly near: readonly string[]
    }
  | { readonly kind: 'unknown_table' | 'unknown_database' | 'ambiguous' | 'not_grouped'; readonly name: string }
  | { readonly kind: 'unknown_function' | 'unknown_type'; readonly name: string; readonly near: readonly string[] }
  | { readonly kind: 'misplaced'; readonly call: string; readonly isWindow: boolean; readonly place: string }
  | {
      readonly kind: 'incomparable'
      readonly left: TypedValue
      readonly right: TypedValue
      readonly by: string
      readonly reason: string
    }
  /** Any other error. `sentence` is the first sentence of the engine's message, with a full stop. */
  | { readonly kind: 'other'; readonly sentence: string }

export interface TypedValue {
  readonly text: string
  readonly type: string
}

const { unknown_name: UNKNOWN, type: TYPE, query: QUERY } = SERVER_CODES

const COMPARISONS: Readonly<Record<string, string>> = {
  equals: '=',
  notEquals: '!=',
  less: '<',
  greater: '>',
  lessOrEquals: '<=',
  greaterOrEquals: '>=',
}

/**
 * Parses an error message by its code (26.7, src/Analyzer). Only this file parses the engine's messages about a query. A message
 * of another form becomes `other`.
 * @param text the message without code and version, perhaps cut at the end
 */
export function readEngineComplaint(serverCode: number | undefined, text: string): EngineComplaint {
  return readByCode(serverCode, text) ?? { kind: 'other', sentence: firstSentence(text) }
}

function readByCode(serverCode: number | undefined, text: string): EngineComplaint | undefined {
  switch (serverCode) {
    case UNKNOWN.UNKNOWN_IDENTIFIER:
      return readUnknownColumn(text)
    case UNKNOWN.UNKNOWN_TABLE:
      return named('unknown_table', /^Unknown table expression identifier '([^']+)'/, text)
    case UNKNOWN.UNKNOWN_DATABASE:
      return named('unknown_database', /^Database `?([^\s`]+?)`? does not exist/, text)
    case UNKNOWN.AMBIGUOUS_IDENTIFIER:
      return named('ambiguous', /ambiguous identifier '([^']+)'/, text)
    case UNKNOWN.UNKNOWN_FUNCTION:
      return withNear('unknown_function', /^Function with name `([^`]+)` does not exist/, text)
    case UNKNOWN.UNKNOWN_TYPE:
      return withNear('unknown_type', /^Unknown data type family: (\w+)/, text)
    case QUERY.NOT_AN_AGGREGATE:
      return named('not_grouped', /^Column '([^']+)' is not under aggregate function/, text)
    case QUERY.ILLEGAL_AGGREGATION:
      return readMisplaced(text)
    case TYPE.TYPE_MISMATCH:
    case TYPE.NO_COMMON_TYPE:
    case TYPE.CANNOT_PARSE_DATETIME:
    case TYPE.CANNOT_PARSE_DATE:
    case TYPE.CANNOT_PARSE_TEXT:
    case TYPE.ILLEGAL_TYPE_OF_ARGUMENT:
      return readIncomparable(text)
    default:
      return undefined
  }
}

function readUnknownColumn(text: string): EngineComplaint | undefined {
  const near = nearInText(text)
  const alone = /^Unknown expression (?:or function )?identifier `([^`]+)`/.exec(text)?.[1]
  if (alone !== undefined) return { kind: 'unknown_column', name: alone, place: 'query', near }
  const [, name, place] = /^Identifier '([^']+)' cannot be resolved from (table|subquery)/.exec(text) ?? []
  if (name !== undefined) return { kind: 'unknown_column', name, place: place === 'table' ? 'table' : 'subquery', near }
  const using = /using identifier '([^']+)' cannot be resolved/.exec(text)?.[1]
  return using === undefined ? undefined : { kind: 'unknown_column', name: using, place: 'using', near }
}

function readMisplaced(text: string): EngineComplaint | undefined {
  const [, what, call, place] =
    /^(Aggregate|Window) function ([\s\S]+) is found (in(?:side)? [\s\S]{1,80}?) in query/.exec(text) ?? []
  if (call === undefined || place === undefined) return undefined
  return { kind: 'misplaced', call: plain(call), isWindow: what === 'Window', place }
}

/**
 * Parses the message that two values cannot be compared. Returns both sides of the comparison or JOIN condition, with their
 * types.
 */
function readIncomparable(text: string): EngineComplaint | undefined {
  const keys = /Left key '([^']+)' type (\S.{0,500}?)\. Right key '([^']+)' type (\S.*)/.exec(text)
  if (keys !== null) {
    const [, left = '', leftType = '', right = '', rightType = ''] = keys
    return {
      kind: 'incomparable',
      left: { text: plain(left), type: leftType },
      right: { text: plain(right), type: rightType.replace(/\.$/, '') },
      by: 'JOIN ON',
      reason: reasonOf(text),
    }
  }
  const [, called = '', list = ''] = /: while executing function (\w+) on arguments ([\s\S]+)$/.exec(text) ?? []
  const by = COMPARISONS[called]
  const [left, right, ...others] = readFunctionArguments(list) ?? []
  if (by === undefined || left === undefined || right === undefined || others.length > 0) return undefined
  return {
    kind: 'incomparable',
    left: { text: plain(left.name), type: left.type },
    right: { text: plain(right.name), type: right.type },
    by,
    reason: reasonOf(text),
  }
}

function reasonOf(text: string): string {
  return firstSentence(text)
    .replace(/ because some of them [^.:]*/, '')
    .replace(/: JOIN cannot infer .*/, '.')
}

function named(
  kind: 'unknown_table' | 'unknown_database' | 'ambiguous' | 'not_grouped',
  pattern: RegExp,
  text: string,
): EngineComplaint | undefined {
  const name = pattern.exec(text)?.[1]
  return name === undefined ? undefined : { kind, name: plain(name) }
}

function withNear(kind: 'unknown_function' | 'unknown_type', pattern: RegExp, text: string): EngineComplaint | undefined {
  const name = pattern.exec(text)?.[1]
  return name === undefined ? undefined : { kind, name, near: nearInText(text) }
}

/** Parses the suggested names at the end of a message: `l.code` and `l.mtu` in `Maybe you meant: ['l.code','l.mtu'].` */
function nearInText(text: string): readonly string[] {
  const list = /Maybe you meant: \[([^[\]]*)\]\.?$/.exec(text)?.[1] ?? ''
  return [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name ?? '')
}

/**
 * Returns the part of a message that says what is wrong. Leaves out the query's text and the engine's plan. Also leaves out
 * suggested names, because the query may be forbidden to use them.
 */
function firstSentence(text: string): string {
  const sentence = plain(
    withoutInternals(text)
      .replace(
        /(?:[.:,]|(?<!\s))\s*(?:In scope|In query|[Ww]hile (?:executing|processing)|Expected one of|Look at https?)\b[\s\S]*$/,
        '',
      )
      .replace(/(?:[.:,]|(?<!\s))\s*Maybe you meant[\s\S]*$/, ''),
  ).replace(/(?<![.:,…\s])[.:,…\s]+$/, '')
  return `${sentence.length <= SERVER_LIMITS.validation.complaintCharacters ? sentence : `${sentence.slice(0, SERVER_LIMITS.validation.complaintCharacters - 1)}…`}.`
}

/**
 * Puts a message on one line. Removes the table names that the engine invents (`__table1.`), and the types that it appends to
 * constants (`5_UInt8`).
 */
function plain(text: string): string {
  return text
    .replace(/\b__table\d+\./g, '')
    .replace(/('(?:[^'\\]|\\.)*'|\b\d+(?:\.\d+)?)_[A-Z]\w*(?:\([^()]*\))?/g, '$1')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
}

/**
 * A function's argument in an engine's message. `__table1.mtu UInt16 UInt16(size = 0)` consists of name, type and memory layout.
 */
interface FunctionArgument {
  readonly name: string
  readonly type: string
}

/** Parses the list after "while executing function f on arguments …". Returns undefined if the list is cut or malformed. */
function readFunctionArguments(list: string): readonly FunctionArgument[] | undefined {
  const read = splitOutside(list.replace(/\.$/, ''), ',')?.map(readArgument)
  return read?.every(argument => argument !== undefined) ? read : undefined
}

function readArgument(text: string): FunctionArgument | undefined {
  const parts = splitOutside(text.trim(), ' ')
  const type = parts?.at(-2)
  if (parts === undefined || type === undefined || parts.length < 3) return undefined
  return { name: parts.slice(0, -2).join(' '), type }
}

/** Splits a text at a separator, except in brackets and quotes. Returns undefined if a bracket or quote is not closed. */
function splitOutside(text: string, separator: ',' | ' '): readonly string[] | undefined {
  const parts: string[] = []
  let [depth, start, isQuoted] = [0, 0, false]
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isQuoted && character === '\\') index += 1
    else if (character === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '(' || character === '[') depth += 1
    else if (character === ')' || character === ']') depth -= 1
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return depth === 0 && !isQuoted ? [...parts, text.slice(start)] : undefined
}
