/** One token of SQL that the engine has printed. `value` is the content of a string or quoted name without its quotes. */
export interface SqlToken {
  readonly kind: 'word' | 'number' | 'string' | 'name' | 'symbol'
  readonly text: string
  readonly value: string
  /** The offset in the SQL at which the token begins. */
  readonly at: number
}

const WORD = /[A-Za-z_][A-Za-z0-9_$]*/y
const NUMBER = /\d[\dA-Za-z_]*(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/y
const SYMBOL = /--|\/\*|[^\s\w'"`]/y
const SPACE = /[ \n\t]+/y
/** Matches strings and quoted names. Inside quotes, a backslash escapes the next character, as the engine prints it. */
const QUOTED = { "'": /'(?:[^'\\]|\\[\s\S])*'/y, '`': /`(?:[^`\\]|\\[\s\S])*`/y, '"': /"(?:[^"\\]|\\[\s\S])*"/y } as const

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  r: '\r',
  n: '\n',
  t: '\t',
  0: '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
}

/**
 * Splits SQL that the engine has printed into tokens. Such SQL has no comments, and always writes strings and quoted names in the
 * same form. Never use this function to judge SQL from people or models. Returns undefined if the text cannot be split.
 */
export function splitTokens(canonical: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = []
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const text = pattern.exec(canonical)?.[0]
    if (text !== undefined) at += text.length
    return text
  }
  while (at < canonical.length) {
    if (take(SPACE) !== undefined) continue
    const first = canonical[at]
    if (first === "'" || first === '`' || first === '"') {
      const text = take(QUOTED[first])
      if (text === undefined) return undefined
      tokens.push({ kind: first === "'" ? 'string' : 'name', text, value: unquote(text), at: at - text.length })
      continue
    }
    // In `t.1`, the dot selects a tuple element and does not begin a number. This holds for every dot after a name or a closing
    // bracket.
    const previous = tokens.at(-1)
    const afterOperand = previous !== undefined && (previous.kind !== 'symbol' || previous.text === ')' || previous.text === ']')
    const number = first === '.' && afterOperand ? undefined : take(NUMBER)
    if (number !== undefined) tokens.push({ kind: 'number', text: number, value: number, at: at - number.length })
    else {
      const word = take(WORD)
      const text = word ?? take(SYMBOL)
      if (text === undefined) return undefined
      tokens.push({ kind: word === undefined ? 'symbol' : 'word', text, value: text, at: at - text.length })
    }
  }
  return tokens
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\([\s\S])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped)
}
