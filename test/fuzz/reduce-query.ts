import { closingBracket, joinWords, sqlWords } from './queries/sql-words.ts'

/** Most tries for one query; each is a round through guard and engine. */
const MAX_TRIES = 3_000

/**
 * Shrinks a query for as long as `remains` holds of what is left: nested queries become the whole, spans of words are left out, brackets
 * become a plain value. What `remains` refuses is passed over, so nothing here needs to know SQL.
 */
export async function reduceQuery(sql: string, remains: (sql: string) => Promise<boolean>): Promise<string> {
  let words: readonly string[] = sqlWords(sql)
  let tries = 0
  const seen = new Set<string>()
  const shrink = async (candidates: (words: readonly string[]) => Iterable<readonly string[]>): Promise<boolean> => {
    for (const candidate of candidates(words)) {
      const text = joinWords(candidate)
      if (candidate.length === 0 || seen.has(text) || tries >= MAX_TRIES) continue
      seen.add(text)
      tries += 1
      if (await remains(text)) {
        words = candidate
        return true
      }
    }
    return false
  }
  // Each success starts anew, with the largest steps first.
  while ((await shrink(nestedQueries)) || (await shrink(withoutSpans)) || (await shrink(withPlainBrackets))) {}
  return joinWords(words)
}

/** Each query in brackets alone, the shortest first. */
function nestedQueries(words: readonly string[]): readonly (readonly string[])[] {
  const nested: (readonly string[])[] = []
  for (const [index, word] of words.entries()) {
    const end = word === '(' ? closingBracket(words, index) : undefined
    if (end !== undefined && /^(?:SELECT|WITH)$/i.test(words[index + 1] ?? '')) nested.push(words.slice(index + 1, end))
  }
  return nested.sort((a, b) => a.length - b.length)
}

/** Without each span of words whose brackets close within it, the longest first. */
function* withoutSpans(words: readonly string[]): Generator<readonly string[]> {
  for (let size = Math.ceil(words.length * 0.8); size >= 1; size = size > 12 ? Math.floor(size * 0.7) : size - 1) {
    // Small spans at every place; large ones at every few.
    const step = Math.max(1, Math.floor(size / 8))
    for (let start = 0; start + size <= words.length; start += step) {
      if (isClosed(words.slice(start, start + size))) yield words.toSpliced(start, size)
    }
  }
}

/** Each bracket as the value 1, without its content, and its content without the bracket. */
function* withPlainBrackets(words: readonly string[]): Generator<readonly string[]> {
  for (const [index, word] of words.entries()) {
    const end = word === '(' || word === '[' ? closingBracket(words, index) : undefined
    if (end === undefined) continue
    const isCall = /^[\p{L}_`"]/u.test(words[index - 1] ?? '')
    if (end > index + 1) yield words.toSpliced(index, end - index + 1, '1')
    if (isCall) yield words.toSpliced(index - 1, end - index + 2, '1')
    if (end > index + 2) yield words.toSpliced(index + 1, end - index - 1, '1')
    yield [...words.slice(0, index), ...words.slice(index + 1, end), ...words.slice(end + 1)]
  }
}

function isClosed(words: readonly string[]): boolean {
  let depth = 0
  for (const word of words) {
    if (word === '(' || word === '[') depth += 1
    if (word === ')' || word === ']') depth -= 1
    if (depth < 0) return false
  }
  return depth === 0
}
