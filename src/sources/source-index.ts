import type { Lexicon } from '../warehouse/retrieval/lexicon.ts'
import { nearWordsIn } from '../warehouse/retrieval/near-words.ts'
import { conceptsOf, type Vocabulary } from '../warehouse/retrieval/question-words.ts'
import { weighWords } from '../warehouse/retrieval/weigh-words.ts'
import { stemsOf } from '../warehouse/retrieval/words.ts'
import { firstPart } from '../warehouse/table-names.ts'
import { SOURCE_LIMITS } from './limits.ts'
import { sourceNamer } from './named-sources.ts'
import type { SourceCard } from './source.ts'

/** The BM25 weights of a card's fields. They were tuned on the seen half of `test/cases/routing`. */
const FIELDS = {
  id: { weight: 3, lengthPart: 0 },
  description: { weight: 2, lengthPart: 0.3 },
  databases: { weight: 0.8, lengthPart: 0 },
  tables: { weight: 2, lengthPart: 0.3 },
} as const

/** For each concept of a question: how well each source expresses it, by the source's position. */
export type ConceptScores = readonly ReadonlyMap<number, number>[]

export interface SourceIndex {
  /** The score of a concept that only one source has, in a field of weight 1. Scores grow with the number of sources. */
  readonly unit: number
  /** Returns the ids of the sources that a text names. */
  named(text: string): readonly string[]
  /** Scores the sources by the words of a text. Sources that have none of them are missing. */
  score(text: string): ConceptScores
}

/** Builds the index of some sources. Yields after small steps, so that `inSlices` can pause the work. */
export function* buildSourceIndex(cards: readonly SourceCard[], lexicon: Lexicon): Generator<void, SourceIndex> {
  const documents = []
  for (const { id, description, tables } of cards) {
    documents.push({
      id: stemsOf(id),
      description: stemsOf(description),
      databases: yield* stemsOfAll(new Set(tables.map(firstPart))),
      tables: yield* stemsOfAll(tables.map(table => table.slice(table.indexOf('.') + 1))),
    })
  }
  const weighed = [...(yield* weighWords(documents, FIELDS))]
  const numbers = new Map(weighed.map(([word], number) => [word, number]))
  const near = nearWordsIn(new Set([...numbers.keys(), ...lexicon.words]))
  const vocabulary: Vocabulary = {
    numberOf: word => numbers.get(word),
    near: word => (word.length < SOURCE_LIMITS.nearWordCharacters ? [] : near(word)),
  }
  return {
    unit: Math.log(1 + (cards.length - 0.5) / 1.5),
    named: sourceNamer(cards.map(({ id }) => id)),
    score: text =>
      conceptsOf(text, vocabulary, lexicon).map(concept => {
        const best = new Map<number, number>()
        for (const [word, sureness] of concept)
          for (const [source, weight] of weighed[word]?.[1] ?? [])
            best.set(source, Math.max(best.get(source) ?? 0, weight * sureness))
        return best
      }),
  }
}

/** Returns the stems of all names. Yields after each name, because a source may have 10,000 tables. */
function* stemsOfAll(names: Iterable<string>): Generator<void, readonly string[]> {
  const stems: string[] = []
  for (const name of names) {
    stems.push(...stemsOf(name))
    yield
  }
  return stems
}

/** Adds up the scores of all concepts. Returns the sources' positions with their sums, the best first. */
export function totalScores(scores: ConceptScores): readonly (readonly [source: number, score: number])[] {
  const totals = new Map<number, number>()
  for (const concept of scores) for (const [source, score] of concept) totals.set(source, (totals.get(source) ?? 0) + score)
  return [...totals].sort(([one, left], [other, right]) => right - left || one - other)
}
