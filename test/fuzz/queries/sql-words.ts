const WORDS =
  /'(?:[^'\\]|\\[\s\S]|'')*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|--.*|\/\*[\s\S]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|\d[\w.]*|->|::|\|\||[<>!=]=|<>|\s+|[\s\S]/gu

/** SQL cut into pieces that can be taken out or exchanged: words, literals, quoted names, symbols. No judge of what they mean. */
export function sqlWords(sql: string): string[] {
  return (sql.match(WORDS) ?? []).filter(word => !/^(?:\s+|--.*|\/\*[\s\S]*)$/.test(word))
}

/** The pieces as text again. */
export function joinWords(words: readonly string[]): string {
  return words
    .join(' ')
    .replace(/ ([,).\]])/g, '$1')
    .replace(/([([.]) /g, '$1')
}

/** Where a bracket that opens at `start` closes; undefined when it does not. */
export function closingBracket(words: readonly string[], start: number): number | undefined {
  let depth = 0
  for (let index = start; index < words.length; index += 1) {
    if (words[index] === '(' || words[index] === '[') depth += 1
    if (words[index] === ')' || words[index] === ']') depth -= 1
    if (depth === 0) return index
  }
  return undefined
}
