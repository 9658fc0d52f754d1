import { DAY_MS } from '../../base/durations.ts'
/** A constant that a query compares with a column. */
export type FilterConstant =
  | { readonly kind: 'text'; readonly text: string }
  /** A number in digits, because a JavaScript number could lose some of them. */
  | { readonly kind: 'number'; readonly text: string }
  /** A date, such as `2026-03-01`. */
  | { readonly kind: 'date'; readonly text: string }
  /** A point in time, as Unix time in milliseconds. */
  | { readonly kind: 'instant'; readonly milliseconds: number }

const CONSTANT = /^(?:alias: [^,]+, )?constant_value: (.*), constant_value_type: (.*)$/s
/** Matches a quoted text in the engine's spelling, such as `'it\'s'`. */
const TEXT = /'((?:[^'\\]|\\.)*)'/sy
/** Matches a number as the query tree prints it, such as `UInt64_5`, `Float64_-1.5` or `Decimal64_'1.25'`. */
const NUMBER = /[A-Za-z]+\d*_'?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)'?/y
const OPENING = /(?:Tuple_\(|Array_\[)/y
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0', a: '\x07', v: '\v' }

/**
 * Reads a CONSTANT node of the query tree. Returns its single value, or the values of a flat tuple or array. Returns undefined
 * for any other constant.
 */
export function readConstant(attributes: string): readonly FilterConstant[] | undefined {
  const [, value = '', type = ''] = CONSTANT.exec(attributes) ?? []
  const isList = /^(?:Tuple|Array)\(/.test(type)
  // In a list, the tree prints both dates and times as plain numbers, of days or of seconds. They cannot be told apart, so such a
  // list is not read.
  if (isList && /Date/.test(type)) return undefined
  const found: FilterConstant[] = []
  let at = isList ? matchAt(OPENING, value, 0).length : 0
  if (isList && at === 0) return undefined
  while (at < value.length) {
    const [token = '', inner = ''] = execAt(TEXT, value, at) ?? execAt(NUMBER, value, at) ?? []
    if (token === '') break
    found.push(token.startsWith("'") ? { kind: 'text', text: unescaped(inner) } : typed(inner, type))
    at += token.length
    if (value.startsWith(', ', at)) at += 2
  }
  const isWhole = isList ? /^[)\]]$/.test(value.slice(at)) : at === value.length && found.length === 1
  return isWhole && found.length > 0 ? found : undefined
}

function typed(digits: string, type: string): FilterConstant {
  const inner = type.replace(/^(?:Nullable|LowCardinality)\((.*)\)$/s, '$1')
  if (/^Date(?:32)?$/.test(inner)) return { kind: 'date', text: isoTime(Number(digits) * DAY_MS).slice(0, 10) }
  if (/^DateTime/.test(inner)) return { kind: 'instant', milliseconds: Math.round(Number(digits) * 1_000) }
  return { kind: 'number', text: digits }
}

/** Formats a time in UTC, such as `2026-03-01 10:00:00.000`. */
export function isoTime(milliseconds: number): string {
  const limited = Math.max(-8.64e15, Math.min(8.64e15, milliseconds))
  return new Date(limited).toISOString().replace('T', ' ').replace('Z', '')
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function execAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(expression)
  sticky.lastIndex = at
  return sticky.exec(text)
}

function matchAt(expression: RegExp, text: string, at: number): string {
  return execAt(expression, text, at)?.[0] ?? ''
}
