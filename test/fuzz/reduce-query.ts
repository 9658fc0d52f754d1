import { closingBracket, joinWords, sqlWords } from './queries/sql-words.ts'

/** The maximum number of attempts to shorten one query. Each attempt sends a query to the guard and the engine. */
const MAX_TRIES = 3_000

/**
 * Shrinks a query while `remains` holds. Replaces the whole by nested queries, drops spans of words, and replaces brackets by a plain value.
 * `remains` rejects invalid SQL, so this code needs no knowledge of it.
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
  // After each success, the reduction starts again with the largest steps.
  while ((await shrink(nestedQueries)) || (await shrink(withoutSpans)) || (await shrink(withPlainBrackets))) {}
  return joinWords(words)
}

/** Returns each subquery in parentheses as a query of its own, shortest first. */
function nestedQueries(words: readonly string[]): readonly (readonly string[])[] {
  const nested: (readonly string[])[] = []
  for (const [index, word] of words.entries()) {
    const end = word === '(' ? closingBracket(words, index) : undefined
    if (end !== undefined && /^(?:SELECT|WITH)$/i.test(words[index + 1] ?? '')) nested.push(words.slice(index + 1, end))
  }
  return nested.sort((a, b) => a.length - b.length)
}

/** Yields copies of the query. Each lacks one span of words with balanced brackets. The longest span comes first. */
function* withoutSpans(words: readonly string[]): Generator<readonly string[]> {
  for (let size = Math.ceil(words.length * 0.8); size >= 1; size = size > 12 ? Math.floor(size * 0.7) : size - 1) {
    // Short spans are removed at every position, long spans only at some.
    const step = Math.max(1, Math.floor(size / 8))
    for (let start = 0; start + size <= words.length; start += step) {
      if (isClosed(words.slice(start, start + size))) yield words.toSpliced(start, size)
    }
  }
}

/** For each pair of brackets, yields the query with 1 in its place, and the query with only the content. */
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
