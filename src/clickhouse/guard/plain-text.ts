import { GUARD_LIMITS } from '../limits.ts'

/**
 * Matches text that this file certainly reads in the same way as the engine: no comment, heredoc or unusual quotation begins in it. Other text counts
 * as unknown.
 */
const PIECE = /'(?:[^'\\]|\\[\s\S])*'|`[^`\\]*`|"[^"\\]*"|(?:(?!--|\/\*)[^'`"#$\u2018\u2019\u201C\u201D\\])+/y

/** Returns the text with all literals emptied, and the literals. Returns undefined if the engine may read the text differently. */
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
/** An operand that is a column or a call. Inside the call, further calls may be nested two deep. */
const OPERAND = String.raw`(?:${PATH}(?:\((?:[^()[\]]|\([^()[\]]*\))*\))?)`
const VALUE = String.raw`(?:''|\d+(?:\.\d+)?|${OPERAND}|(?:DATE|TIMESTAMP)\s*'')`
const BOUND = String.raw`${VALUE}(?:\s*[-+]\s*(?:${VALUE}|INTERVAL\s+(?:\d+|'')\s+[A-Za-z]+))?`
const LEFT = new RegExp(
  String.raw`(?:([(,])|\b(WHERE|PREWHERE|HAVING|QUALIFY|ON|WHEN|OR|AND|SELECT|NOT))\s*(?<left>${OPERAND})\s+(?:NOT\s+)?$`,
  'i',
)
const RIGHT = new RegExp(String.raw`^\s+${BOUND}\s+AND\s+${BOUND}(?![\w.(['])`, 'i')

/** Returns how deep BETWEEN may be nested in the left operands of other BETWEEN. An operand that is certainly a column or a call adds no level. */
export function nestedBetweens(sql: string): number {
  const all = sql.match(/between/gi)?.length ?? 0
  const text = withoutLiterals(sql)?.rest
  if (text === undefined || all === 0) return all
  let deep = 0
  let flat = 0
  /** The latest BETWEEN that is certainly not nested ends at this offset. */
  let end = 0
  for (const { index } of text.matchAll(/between/gi)) {
    if (deep > GUARD_LIMITS.maxTextLevels) return all
    const before = LEFT.exec(text.slice(end, index))
    const behind = RIGHT.exec(text.slice(index + 'between'.length))
    // AND and NOT may belong to an earlier BETWEEN, unless it is known where each earlier one ends.
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
