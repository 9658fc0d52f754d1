const WORDS =
  /'(?:[^'\\]|\\[\s\S]|'')*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|--.*|\/\*[\s\S]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|\d[\w.]*|->|::|\|\||[<>!=]=|<>|\s+|[\s\S]/gu

/** Splits SQL into words, literals, quoted names and symbols, without understanding it. The pieces can be removed or exchanged. */
export function sqlWords(sql: string): string[] {
  return (sql.match(WORDS) ?? []).filter(word => !/^(?:\s+|--.*|\/\*[\s\S]*)$/.test(word))
}

/** Joins the pieces of a query to one text. */
export function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ([,).\]])/g, '$1')
    .replace(/([([.]) /g, '$1')
}

/** Returns the index of the closing bracket for the opening one at `start`. Returns undefined if there is none. */
export function closingBracket(words: readonly string[], start: number): number | undefined {
  let depth = 0
  for (let index = start; index < words.length; index += 1) {
    if (words[index] === '(' || words[index] === '[') depth += 1
    if (words[index] === ')' || words[index] === ']') depth -= 1
    if (depth === 0) return index
  }
  return undefined
}
