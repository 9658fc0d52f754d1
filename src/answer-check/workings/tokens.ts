import { WorkingFault } from './fault.ts'

const TOKEN =
  /\d+(?:\.\d+)?(?:e\d+)?|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|[\p{L}_][\p{L}\p{N}_]*|<=|>=|!=|<>|[-+*/()[\]=<>,.]|(?<strange>\S)/gsu

/** Splits a working into numbers, names, signs and texts in quotes. @throws WorkingFault if a character cannot begin any of them */
export function tokensOf(expression: string): string[] {
  return [...expression.matchAll(TOKEN)].map(({ 0: token, groups }) => {
    if (groups?.strange !== undefined) throw new WorkingFault('the working is not understood')
    return token
  })
}

/** Whether a token is a number, a name or a text, and no sign. */
export function isWord(token: string): boolean {
  return /^[\p{L}\p{N}_'"`]/u.test(token)
}

export function isNumber(token: string): boolean {
  return /^\d/.test(token)
}

/** Returns a name, or a text without its quotes. */
export function plainText(token: string): string {
  if (token.startsWith('`')) return token.slice(1, -1)
  return /^['"]/.test(token) ? token.slice(1, -1).replace(/\\(.)/gs, '$1') : token
}
