import { POSTGRES_LIMITS } from '../limits.ts'
import { constantNumber, constantText, DAY } from './constant-values.ts'
import { nodesOf, type TreeNode } from './node-tree.ts'
import { refuse } from './refusal.ts'

const { maxCopies, maxGeneratedRows } = POSTGRES_LIMITS.guard

/** The known bounds of an expression's value: the bytes that it may have, and the range of a number or time. */
export interface Bounds {
  readonly bytes: number
  readonly low: number
  readonly high: number
}

type Range = Pick<Bounds, 'low' | 'high'>

/** The bytes of a column's value, a number or an item of a list. Real values may have more: the table bounds them. */
export const VALUE_BYTES = 16
/** A number that comes from the data is taken to be at most this. A time, to be between 1970 and 2070. */
export const DATA_NUMBER = 100
export const DATA_TIMES = { low: -30 * 366 * DAY, high: 70 * 366 * DAY }
const DATA_YEARS = { low: 1_970, high: 2_070 }
const CALENDAR_UNITS = { low: 0, high: 400 }
/** A text that is repeated as often as the data say may have this many bytes. */
const MAX_REPEATED_BYTES = 40
const MAX_FORMAT_WIDTH = 10_000

/** The result is at most as large as the product of the arguments: texts that are inserted several times. */
const MULTIPLYING =
  /^(?:replace|regexp_replace|regexp_match(?:es)?|regexp_split_to_array|array_to_string|concat_ws|ts_headline|array_replace|format|translate|replace_text)$/
/** Each byte may become up to six, or a list's item of its own. In JSON, two: few characters need more. */
const EXPANDING =
  /json|^(?:encode|decode|quote_|to_char|string_to_array|tsvector|to_tsvector|ts_|normalize|upper|lower|initcap|casefold)/
/** Numeric results may have very many digits. A factorial of 50,000 digits took 0.8 s on a busy machine. */
const NUMERIC = { maxDigits: 150_000, knownDigits: 50_000, usualDigits: 1_000 }
const TOO_MANY_DIGITS = `A number would have more than ${NUMERIC.knownDigits} digits: choose a smaller power or factorial.`
export const COUNTING =
  /^(?:count|row_number|rank|dense_rank|ntile|length|char(?:acter)?_length|octet_length|array_length|cardinality|jsonb?_array_length|strpos|array_position|regexp_count|regr_count)$/
export const UNCHANGING =
  /^(?:int[248]|float[48]|numeric|round|floor|ceil|ceiling|trunc|dround|dfloor|dceil|dtrunc|timestamp|timestamptz|date|timezone|interval|interval_scale|min|max|avg|mode|lag|lead|first_value|last_value|nth_value|percentile_(?:cont|disc)|any_value|numeric_uplus|int[248]up)$/

/**
 * Returns the bounds of the result of a function or operator.
 * @param bounds those of the given arguments
 */
export function boundsOfCall(name: string, isNumeric: boolean, given: readonly TreeNode[], bounds: readonly Bounds[]): Bounds {
  const [first = unknown(0), second = unknown(0)] = bounds
  if (name === 'repeat') return repeated(first, second, name)
  if (/^(?:[lr]pad|bpchar|bit)$/.test(name) && bounds.length > 1) return repeated({ ...first, bytes: 4 }, second, name)
  if (name === 'generate_series') {
    rowsOfSeries(bounds)
    return { ...widest([first, second]), bytes: VALUE_BYTES }
  }
  if (name === 'array_fill') return unknown(Math.max(first.bytes, VALUE_BYTES) * itemsOf(given[1], second))
  if (name === 'format') checkFormat(given[0])
  if (isNumeric && /^(?:power|pow|numeric_power|exp|numeric_exp|factorial)$/.test(name)) return unknown(digitsOf(first, second))
  if (isNumeric && /^(?:round|trunc)$/.test(name) && bounds.length > 1) {
    return { ...first, bytes: first.bytes + Math.min(NUMERIC.maxDigits, Math.max(0, second.high)) }
  }
  const bytes = sumOf(bounds)
  if (MULTIPLYING.test(name)) return unknown(product(bounds.slice(0, 3).map(each => each.bytes + 1)) + bytes)
  const length = COUNTING.test(name) ? { low: 0, high: Math.max(DATA_NUMBER, bytes) } : {}
  if (EXPANDING.test(name)) return { ...unknown(bytes * (name.includes('json') ? 2 : 6) + VALUE_BYTES), ...length }
  const range = RANGES.find(([names]) => names.test(name))?.[1](first, second, given) ?? unknown(0)
  return { ...range, ...length, bytes: (range.high === Number.POSITIVE_INFINITY ? bytes : 0) + VALUE_BYTES }
}

/** The numbers and times that functions return for those of their first two arguments. The first that fits counts. */
const RANGES: readonly (readonly [names: RegExp, range: (left: Range, right: Range, given: readonly TreeNode[]) => Range])[] = [
  [/^(?:now|(?:transaction|statement|clock)_timestamp)$/, now],
  [/^date_trunc$/, (_, right, [unit]) => ({ low: right.low - truncated(unit), high: right.high })],
  [/^timezone$/, (left, right, given) => (given.length > 1 ? right : left)],
  [UNCHANGING, left => left],
  [/^make_(?:date$|timestamp)/, ({ low, high }) => ({ low: yearStart(low), high: yearStart(high + 1) })],
  [/^to_(?:date|timestamp)$/, (_, __, [text]) => written(text)],
  [/^(?:(?:int\d+|float\d+|interval_)pl|numeric_add|(?:timestamp|timestamptz|date)_pl_interval|interval_pl_\w+)$/, plus],
  [
    /^(?:(?:int\d+|float\d+|interval_|(?:timestamp|timestamptz)_)mi|numeric_sub|(?:timestamp|timestamptz|date)_mi_interval)$/,
    minus,
  ],
  [/^date_pli$/, (left, right) => plus(left, scaled(right, DAY))],
  [/^date_mii$/, (left, right) => minus(left, scaled(right, DAY))],
  [/^date_mi$/, (left, right) => scaled(minus(left, right), 1 / DAY)],
  [/^(?:(?:int\d+|float\d+|numeric_|interval_)mul|mul_d_interval)$/, times],
  [/^(?:(?:int\d+|float\d+|numeric_|interval_)?div)$/, divided],
  [/^(?:int\d+|float\d+|interval_?|numeric_u)(?:um|minus)$/, ({ low, high }) => ({ low: -high, high: -low })],
  [/^(?:int\d+|float\d+|numeric_)?abs$/, ({ low, high }) => ({ low: 0, high: Math.max(-low, high) })],
  [/^(?:int\d+|numeric_)?mod$/, (_, { low, high }) => spread([-high, high, low, -low])],
  [/^(?:extract|date_part)$/, (_, __, [unit]) => unitRange(textOf(unit))],
]

export function unknown(bytes: number): Bounds {
  return { bytes, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }
}

export function widest(all: readonly Bounds[]): Bounds {
  return {
    bytes: Math.max(0, ...all.map(({ bytes }) => bytes)),
    low: Math.min(...all.map(({ low }) => low)),
    high: Math.max(...all.map(({ high }) => high)),
  }
}

export function sumOf(all: readonly Bounds[]): number {
  return all.reduce((sum, { bytes }) => sum + bytes, 0)
}

export function product(all: readonly number[]): number {
  return all.reduce((result, each) => result * each, 1)
}

export function scaled<Of extends Range>(range: Of, by: number): Of {
  return { ...range, low: range.low * by, high: range.high * by }
}

/** Returns how many rows generate_series returns. */
export function rowsOfSeries([first, last, step]: readonly Bounds[]): number {
  const width = Math.max((last?.high ?? 0) - (first?.low ?? 0), (first?.high ?? 0) - (last?.low ?? 0), 0)
  const smallest = step === undefined ? 1 : Math.max(step.low, -step.high)
  const rows = width / smallest + 1
  if (smallest > 0 && rows <= maxGeneratedRows) return rows
  refuse(
    'function',
    `generate_series may return at most ${maxGeneratedRows} rows, between numbers or times that are known: choose a shorter range or a longer step.`,
  )
}

/** The time at which a query is judged, more or less: it may run later, and TIME values and dates are shorter. */
export function now(): Range {
  const time = (Date.now() - Date.UTC(2000, 0)) * 1_000
  return { low: time - 2 * DAY, high: time + 2 * DAY }
}

/** The digits of a power, or of the exponential or factorial of the only argument. */
function digitsOf(base: Bounds, exponent: Bounds): number {
  const most = Math.min(Number.MAX_VALUE, Math.max(Math.abs(base.low), Math.abs(base.high), 10))
  const { low, high } = exponent.bytes === 0 ? base : exponent
  const digits = NUMERIC.usualDigits + base.bytes + Math.max(Math.abs(low), Math.abs(high)) * Math.log10(most)
  const isKnown = [base.low, base.high, low, high].every(Number.isFinite)
  if (isKnown && digits > NUMERIC.knownDigits) refuse('function', TOO_MANY_DIGITS)
  return Math.min(digits, NUMERIC.maxDigits)
}

function repeated(text: Bounds, count: Bounds, name: string): Bounds {
  const isFixed = count.low === count.high
  const isShort = text.bytes <= MAX_REPEATED_BYTES
  if (!(count.high <= maxCopies) || !(isFixed || isShort || count.high <= DATA_NUMBER)) {
    refuse('function', `The second argument of ${name} must be a number of at most ${maxCopies}: write least(…, 100).`)
  }
  return unknown(text.bytes * Math.max(0, count.high) + VALUE_BYTES)
}

/** The number of items of array_fill: the product of its list of lengths, which must be constants. */
function itemsOf(lengths: TreeNode | undefined, bounds: Bounds): number {
  const items = lengths === undefined ? [] : nodesOf(lengths, 'elements').map(constantNumber)
  if (items.length > 0 && items.every(item => item !== undefined)) return product(items.map(item => item ?? 1))
  return bounds.bytes === 0 ? 1 : Number.POSITIVE_INFINITY
}

function checkFormat(format: TreeNode | undefined): void {
  const text = textOf(format)
  const widths = text?.match(/%[^%a-zA-Z]*/g) ?? []
  const isPlain = widths.every(width => !width.includes('*') && Number(/(?<!\d)\d+$/.exec(width)?.[0] ?? 0) <= MAX_FORMAT_WIDTH)
  if (text !== undefined && isPlain) return
  refuse(
    'function',
    `The first argument of format must be a text that stands in the query, with widths of at most ${MAX_FORMAT_WIDTH}.`,
  )
}

function textOf(node: TreeNode | undefined): string | undefined {
  return node === undefined ? undefined : constantText(node)
}

/** How much date_trunc takes away at most. */
function truncated(unit: TreeNode | undefined): number {
  const text = textOf(unit)
  return text === undefined || /dec|cent|mil/i.test(text) ? Number.POSITIVE_INFINITY : 366 * DAY
}

function unitRange(unit = ''): Range {
  if (/^(?:iso)?years?$/i.test(unit)) return DATA_YEARS
  return /^(?:month|day|hour|minute|dow|isodow|doy|week|quarter)s?$/i.test(unit) ? CALENDAR_UNITS : unknown(0)
}

function yearStart(year: number): number {
  return (year - 2_000) * 366 * DAY
}

/** The time of a text such as '2026-01-31'. */
function written(node: TreeNode | undefined): Range {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(textOf(node) ?? '')?.[0]
  const time = (Date.parse(day ?? '') - Date.UTC(2000, 0)) * 1_000
  return Number.isNaN(time) ? unknown(0) : { low: time, high: time + DAY }
}

function plus(left: Range, right: Range): Range {
  return { low: left.low + right.low, high: left.high + right.high }
}

function minus(left: Range, right: Range): Range {
  return { low: left.low - right.high, high: left.high - right.low }
}

function times(left: Range, right: Range): Range {
  return spread([left.low * right.low, left.low * right.high, left.high * right.low, left.high * right.high])
}

/** Dividing by what may be zero is taken to divide by data, which are whole numbers then. */
function divided(left: Range, right: Range): Range {
  const smallest = right.low > 0 ? right.low : right.high < 0 ? -right.high : 1
  const most = Math.max(-left.low, left.high) / smallest
  return Number.isFinite(right.high) ? { low: -most, high: most } : unknown(0)
}

function spread(all: readonly number[]): Range {
  return all.some(Number.isNaN) ? unknown(0) : { low: Math.min(...all), high: Math.max(...all) }
}
