/**
 * Returns after how many tokens parts of an answer are complete: `element n` for the n-th object of a plan's list, `sql` for that field, `sentence`
 * for a text's first sentence. A program can use these parts before the answer's end.
 */
export function marksOf(text: string, pieces: readonly string[]): Readonly<Record<string, number>> {
  // An answer in prose may begin with a formula: `{count()} sites …`. JSON begins with `{"`.
  const ends = text.startsWith('{"') ? jsonEnds(text) : textEnds(text)
  return Object.fromEntries(ends.map(([name, end]) => [name, tokensUpTo(pieces, end)]))
}

function jsonEnds(text: string): readonly (readonly [string, number])[] {
  const value = JSON.parse(text) as { readonly data_questions?: readonly unknown[]; readonly sql?: string }
  const ends: (readonly [string, number])[] = []
  let from = 0
  for (const [index, element] of (value.data_questions ?? []).entries()) {
    const written = JSON.stringify(element)
    from = text.indexOf(written, from) + written.length
    ends.push([`element ${index + 1}`, from])
  }
  if (value.sql !== undefined) {
    const written = JSON.stringify(value.sql)
    ends.push(['sql', text.indexOf(written) + written.length])
  }
  return ends
}

/** Returns the positions at which sentences end. A sentence counts as complete when the text after it has begun. */
function textEnds(text: string): readonly (readonly [string, number])[] {
  const end = /\]\.\s+\S/.exec(text)
  return [['sentence', end === null ? text.length : end.index + end[0].length]]
}

function tokensUpTo(pieces: readonly string[], end: number): number {
  let length = 0
  let count = 0
  for (const piece of pieces) {
    if (length >= end) break
    length += piece.length
    count += 1
  }
  return count
}
