import { RETRIEVAL_LIMITS } from '../limits.ts'

/**
 * Returns a function that finds the known words that differ from a word by one typing error: one letter is added, missing,
 * changed, or swapped with the next.
 */
export function nearWordsIn(words: Iterable<string>): (word: string) => readonly string[] {
  const byLength = new Map<number, string[]>()
  for (const word of words) {
    if (word.length < RETRIEVAL_LIMITS.nearWordCharacters || /\d/.test(word)) continue
    const others = byLength.get(word.length)
    if (others === undefined) byLength.set(word.length, [word])
    else others.push(word)
  }
  return word => {
    if (word.length < RETRIEVAL_LIMITS.nearWordCharacters) return []
    return [-1, 0, 1].flatMap(more => (byLength.get(word.length + more) ?? []).filter(known => isOneSlip(word, known)))
  }
}

function isOneSlip(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [left, right] = [one.slice(start), other.slice(start)]
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  )
}
