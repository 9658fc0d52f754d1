import { WorkingFault } from './fault.ts'

export interface Token {
  readonly kind: 'number' | 'name' | 'text' | 'symbol'
  readonly text: string
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e\d+)?)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`|([\p{L}_][\p{L}\p{N}_]*)|(<=|>=|!=|<>|[-+*/()[\]=<>,.]))/uy

/** @throws WorkingFault if a character cannot begin a token */
export function tokensOf(expression: string): Token[] {
  const tokens: Token[] = []
  const text = expression.trim()
  TOKEN.lastIndex = 0
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) throw new WorkingFault('the working is not understood')
    const [, number, single, double, ticked, name, symbol] = match
    const quoted = single ?? double
    if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/gs, '$1') })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else tokens.push(ticked === undefined ? { kind: 'symbol', text: symbol ?? '' } : { kind: 'text', text: ticked })
  }
  return tokens
}
