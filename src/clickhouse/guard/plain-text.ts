import { GUARD_LIMITS } from '../limits.ts'

/**
 * Matches a piece of text that this file and the engine certainly split in the same way, without comments, heredocs and unusual
 * quotations. For any other text, the functions below assume the worst.
 */
const PIECE = /'(?:[^'\\]|\\[\s\S])*'|`[^`\\]*`|"[^"\\]*"|(?:(?!--|\/\*)[^'`"#$\u2018\u2019\u201C\u201D\\])+/y

/**
 * Returns the SQL with empty string literals, and the literals. Returns undefined if the engine could split the text in another
 * way.
 */
export function withoutLiterals(sql: string): { readonly rest: string; readonly literals: readonly string[] } | undefined {
  const literals: string[] = []
  let rest = ''
  PIECE.lastIndex = 0
  for (let at = 0; at < sql.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at
    const piece = PIECE.exec(sql)?.[0]
    if (piece === undefined) return undefined
    if (piece.startsWith("'")) literals.push(piece)
    rest += piece.startsWith("'") ? "''" : piece
  }
  return { rest, literals }
}

const KEYWORD = '(?:and|or|not|between|case|when|then|else|end|in|is|like|ilike|div|mod|regexp|global|interval|distinct)'
const NAME = '(?:[A-Za-z_]\\w*|`[^`]*`|"[^"]*")'
const PATH = String.raw`(?!${KEYWORD}\b)${NAME}(?:\.${NAME})*`
/** Matches a column or a function call. An argument may be another call, but not deeper. */
const OPERAND = String.raw`(?:${PATH}(?:\((?:[^()[\]]|\([^()[\]]*\))*\))?)`
const VALUE = String.raw`(?:''|\d+(?:\.\d+)?|${OPERAND}|(?:DATE|TIMESTAMP)\s*'')`
const BOUND = String.raw`${VALUE}(?:\s*[-+]\s*(?:${VALUE}|INTERVAL\s+(?:\d+|'')\s+[A-Za-z]+))?`
const LEFT = new RegExp(
  String.raw`(?:([(,])|\b(WHERE|PREWHERE|HAVING|QUALIFY|ON|WHEN|OR|AND|SELECT|NOT))\s*(?<left>${OPERAND})\s+(?:NOT\s+)?$`,
  'i',
)
const RIGHT = new RegExp(String.raw`^\s+${BOUND}\s+AND\s+${BOUND}(?![\w.(['])`, 'i')

/**
 * Returns an upper bound for the nesting of BETWEEN, which is how many BETWEENs are inside the left operand of another: `(a
 * BETWEEN 1 AND 2) BETWEEN 0 AND 1`. A plain column or call on the left adds no level.
 */
export function nestedBetweens(sql: string): number {
  const all = sql.match(/between/gi)?.length ?? 0
  const text = withoutLiterals(sql)?.rest
  if (text === undefined || all === 0) return all
  let deep = 0
  let flat = 0
  /** The offset at which the latest BETWEEN ends that is certainly not nested. */
  let end = 0
  for (const { index } of text.matchAll(/between/gi)) {
    if (deep > GUARD_LIMITS.maxTextLevels) return all
    const before = LEFT.exec(text.slice(end, index))
    const behind = RIGHT.exec(text.slice(index + 'between'.length))
    // An AND or NOT before this BETWEEN may belong to an earlier one, unless all earlier ones are known to have ended.
    const isOwn = before !== null && (deep === 0 || !/^(?:AND|NOT)$/i.test(before[2] ?? ''))
    if (before === null || behind === null || !isOwn || /\b(?:between|case|and|or|not)\b/i.test(before.groups?.left ?? ''))
      deep += 1
    else {
      flat += 1
      end = index + 'between'.length + behind[0].length
    }
  }
  return deep + Math.min(flat, 1)
}
