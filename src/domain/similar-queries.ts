import type { VerifiedQuery } from './files.ts'
import { DOMAIN_LIMITS } from './limits.ts'

/** Returns the verified queries that can serve as examples for a question. The most similar one comes first. */
export function similarQueries(question: string, queries: readonly VerifiedQuery[]): readonly VerifiedQuery[] {
  return nearestQueries(question, queries, DOMAIN_LIMITS.similarQueries, DOMAIN_LIMITS.similarity)
}

/**
 * Returns the verified queries with the most similar questions, best first. A word weighs little if many verified questions
 * contain it.
 * @param least the minimum similarity, from 0 to 1
 */
export function nearestQueries(
  question: string,
  queries: readonly VerifiedQuery[],
  most: number,
  least: number,
): readonly VerifiedQuery[] {
  const documents = queries.map(query => ({ query, words: wordsOf(query.question) }))
  const frequency = new Map<string, number>()
  for (const { words } of documents) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const weigh = (word: string) => Math.log(1 + documents.length / (frequency.get(word) ?? 1))
  const weight = (words: Iterable<string>) => [...words].reduce((sum, word) => sum + weigh(word), 0)
  const asked = wordsOf(question)
  return documents
    .map(({ query, words }) => {
      const shared = weight([...asked].filter(word => words.has(word)))
      return { query, similarity: shared / Math.max(1e-9, Math.sqrt(weight(asked) * weight(words))) }
    })
    .filter(({ similarity }) => similarity >= least)
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, most)
    .map(({ query }) => query)
}

/** Words that are too frequent to show that two questions are similar. */
const COMMON = new Set(
  'a an and are by did do does for from had has have how in is it its me of on or our per that the there these they this to was we were what when where which who why with you'.split(
    ' ',
  ),
)

function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return new Set(
    words.filter(word => word !== '' && !COMMON.has(word)).map(word => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word)),
  )
}
