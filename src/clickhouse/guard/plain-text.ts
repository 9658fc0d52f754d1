import { GUARD_LIMITS } from '../limits.ts'

/**
 * Matches text that this file splits exactly as the engine does. No comment, heredoc or unusual quotation begins in such text.
 * For any other text, the functions below assume the worst.
 */
const PIECE = /'(?:[^'\\]|\\[\s\S])*'|`[^`\\]*`|"[^"\\]*"|(?:(?!--|\/\*)[^'`"#$\u2018\u2019\u201C\u201D\\])+/y

/** Returns the SQL with all string literals emptied, and the literals. Returns undefined if the engine might split the text differently. */
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
/** Matches a column or a function call. Arguments may be calls themselves, but only one level deep. */
const OPERAND = String.raw`(?:${PATH}(?:\((?:[^()[\]]|\([^()[\]]*\))*\))?)`
const VALUE = String.raw`(?:''|\d+(?:\.\d+)?|${OPERAND}|(?:DATE|TIMESTAMP)\s*'')`
const BOUND = String.raw`${VALUE}(?:\s*[-+]\s*(?:${VALUE}|INTERVAL\s+(?:\d+|'')\s+[A-Za-z]+))?`
const LEFT = new RegExp(
  String.raw`(?:([(,])|\b(WHERE|PREWHERE|HAVING|QUALIFY|ON|WHEN|OR|AND|SELECT|NOT))\s*(?<left>${OPERAND})\s+(?:NOT\s+)?$`,
  'i',
)
const RIGHT = new RegExp(String.raw`^\s+${BOUND}\s+AND\s+${BOUND}(?![\w.(['])`, 'i')

/**
 * Returns an upper bound for the nesting of BETWEEN: how many BETWEENs may be inside the left operand of another, as in `(a
 * BETWEEN 1 AND 2) BETWEEN 0 AND 1`. A plain column or call as the left operand adds no level.
 */
export function nestedBetweens(sql: string): number {
  const all = sql.match(/between/gi)?.length ?? 0
  const text = withoutLiterals(sql)?.rest
  if (text === undefined || all === 0) return all
  let deep = 0
  let flat = 0
  /** The offset of the end of the latest BETWEEN that is certainly not nested. */
  let end = 0
  for (const { index } of text.matchAll(/between/gi)) {
    if (deep > GUARD_LIMITS.maxTextLevels) return all
    const before = LEFT.exec(text.slice(end, index))
    const behind = RIGHT.exec(text.slice(index + 'between'.length))
    // An AND or NOT before this BETWEEN may belong to an earlier BETWEEN, unless the ends of all earlier ones are known.
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
