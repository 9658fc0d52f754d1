import type { TablesAsk } from '../../schema-source.ts'
import { buildLexicon } from './lexicon.ts'
import { nearWordsIn } from './near-words.ts'
import { conceptsOf, type Vocabulary } from './question-words.ts'
import type { TableIndex } from './table-index.ts'
import { isCommon, splitWords } from './words.ts'

/** Families that score less than this part of the best one are not considered. */
const LEAST_SCORE = 0.06
/** Families whose joins are followed, and what a join is worth of the score of the family it leads from. */
const FOLLOWED = 12
const JOIN_WORTH = 0.45
/** What it is worth to lie in the database in which most of what was found lies. */
const NEIGHBOUR_WORTH = 0.5
/** What a family is worth after another one that was found by the same words. */
const ALIKE_WORTH = 0.93
/** A search for what was used before is joined with what is asked now, at this weight. */
const CONTEXT_WORTH = 0.35

/** A family of near-duplicates that a question may need. */
export interface FoundFamily {
  /** The table that is most likely maintained, as `database.table`. */
  readonly maintained: string
  /** Those whose year, version or kind the question names. */
  readonly asked: readonly string[]
  readonly score: number
  /** All of its tables, the maintained one first. */
  names(): readonly string[]
}

export interface TableSearch {
  /**
   * The families that a question may need, best first: by words, then those that they are joined with. Takes well under a millisecond for 10,000 tables.
   * @param most families at most
   * @param isThere whether a table is the asker's to know
   */
  search(ask: TablesAsk, most: number, isThere: (name: string) => boolean): readonly FoundFamily[]
}

/** Makes an index ready to be searched. */
export function openTableSearch(index: TableIndex): TableSearch {
  const lexicon = buildLexicon()
  const numbers = new Map(index.vocabulary.map((word, number) => [word, number]))
  const vocabulary: Vocabulary = {
    numberOf: word => numbers.get(word),
    near: nearWordsIn(new Set([...index.vocabulary, ...lexicon.words])),
  }
  const familyOf = familiesByName(index)
  const databases = new Set(index.familyDatabases).size
  const variantWords = new Set([...new Set(index.variants)].flatMap(variant => variant.split('|')))

  /** @param matched which things of the text each family was found by, a bit each */
  function scoreWords(text: string, worth: number, scores: Float32Array, matched: Uint32Array): void {
    const best = new Float32Array(scores.length)
    for (const [place, concept] of conceptsOf(text, vocabulary, lexicon).entries()) {
      const touched: number[] = []
      for (const [word, sureness] of concept) {
        const end = index.postingStarts[word + 1] ?? 0
        for (let at = index.postingStarts[word] ?? 0; at < end; at++) {
          const family = index.postingFamilies[at] ?? 0
          const weight = (index.postingWeights[at] ?? 0) * sureness * worth
          const before = best[family] ?? 0
          if (weight <= before) continue
          if (before === 0) touched.push(family)
          best[family] = weight
        }
      }
      // Of several words for one thing the best counts, not their sum.
      for (const family of touched) {
        scores[family] = (scores[family] ?? 0) + (best[family] ?? 0)
        best[family] = 0
        matched[family] = (matched[family] ?? 0) | (1 << (place & 31))
      }
    }
  }

  return {
    search: (ask, most, isThere) => {
      const scores = new Float32Array(index.priors.length)
      const matched = new Uint32Array(index.priors.length)
      scoreWords(ask.text, 1, scores, matched)
      if (ask.context !== undefined) scoreWords(ask.context, CONTEXT_WORTH, scores, matched)
      for (let family = 0; family < scores.length; family++) scores[family] = (scores[family] ?? 0) * (index.priors[family] ?? 1)
      const top = scores.reduce((most, score) => Math.max(most, score), 0)
      // A question of no table in particular: those that are asked about most.
      if (top === 0) scores.set(index.priors)
      for (const [name, worth] of ask.hints ?? []) {
        const family = familyOf.get(name)
        if (family !== undefined) scores[family] = Math.max(scores[family] ?? 0, worth * (top || 1))
      }
      favourNeighbours(index, databases, scores)
      spread(scores, matched)
      followJoins(index, scores)
      followJoins(index, scores)
      const said = splitWords(`${ask.text} ${ask.context ?? ''}`).filter(word => variantWords.has(word) && !isCommon(word))
      const found: FoundFamily[] = []
      for (const family of ranked(scores, LEAST_SCORE)) {
        if (found.length === most) break
        const tables = membersOf(index, family, said, isThere)
        if (tables !== undefined) found.push({ ...tables, score: scores[family] ?? 0 })
      }
      return found
    },
  }
}

function familiesByName(index: TableIndex): ReadonlyMap<string, number> {
  const families = new Map<string, number>()
  for (let family = 0; family + 1 < index.memberStarts.length; family++) {
    for (let at = index.memberStarts[family] ?? 0; at < (index.memberStarts[family + 1] ?? 0); at++) {
      families.set(index.names[index.members[at] ?? 0] ?? '', family)
    }
  }
  return families
}

/** What belongs together lies together: families of the database in which most of the best lie count more. */
function favourNeighbours(index: TableIndex, databases: number, scores: Float32Array): void {
  const mass = new Float32Array(databases)
  let total = 0
  for (const family of ranked(scores, 0.3).slice(0, 20)) {
    const database = index.familyDatabases[family] ?? 0
    mass[database] = (mass[database] ?? 0) + (scores[family] ?? 0)
    total += scores[family] ?? 0
  }
  if (total === 0) return
  for (let family = 0; family < scores.length; family++) {
    const share = (mass[index.familyDatabases[family] ?? 0] ?? 0) / total
    scores[family] = (scores[family] ?? 0) * (1 + NEIGHBOUR_WORTH * share)
  }
}

/** What the best are joined with may be needed too, though no word of the question says so. */
function followJoins(index: TableIndex, scores: Float32Array): void {
  const best = ranked(scores, 0.3).slice(0, FOLLOWED)
  const gains = new Map<number, number>()
  for (const family of best) {
    for (let at = index.linkStarts[family] ?? 0; at < (index.linkStarts[family + 1] ?? 0); at++) {
      const to = index.linkedFamilies[at] ?? 0
      const gain = JOIN_WORTH * (index.linkWeights[at] ?? 0) * (scores[family] ?? 0)
      gains.set(to, Math.max(gain, gains.get(to) ?? 0))
    }
  }
  // The same join followed twice adds nothing.
  for (const [family, gain] of gains)
    scores[family] = Math.max(scores[family] ?? 0, Math.min(gain + (scores[family] ?? 0), gain * 2))
}

/** Twenty families that were found by the same words would crowd out what the other words stand for: each next one of them counts less. */
function spread(scores: Float32Array, matched: Uint32Array): void {
  const before = new Map<number, number>()
  for (const family of ranked(scores, LEAST_SCORE)) {
    const words = matched[family] ?? 0
    if (words === 0) continue
    const worth = before.get(words) ?? 1
    scores[family] = (scores[family] ?? 0) * worth
    before.set(words, worth * ALIKE_WORTH)
  }
}

function ranked(scores: Float32Array, leastPart: number): readonly number[] {
  let top = 0
  for (const score of scores) if (score > top) top = score
  const families: number[] = []
  for (let family = 0; family < scores.length; family++) {
    const score = scores[family] ?? 0
    if (score > 0 && score >= leastPart * top) families.push(family)
  }
  return families.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** A family's tables that are there: the maintained one, and those whose year, version or kind the question names. */
function membersOf(
  index: TableIndex,
  family: number,
  said: readonly string[],
  isThere: (name: string) => boolean,
): Omit<FoundFamily, 'score'> | undefined {
  const members = index.members.subarray(index.memberStarts[family], index.memberStarts[family + 1])
  const nameOf = (table: number) => index.names[table] ?? ''
  const first = members.find(table => isThere(nameOf(table)))
  if (first === undefined) return undefined
  const names = () => [...members].map(nameOf).filter(isThere)
  if (said.length === 0) return { maintained: nameOf(first), asked: [], names }
  const counts = [...members].map(table => saidOf(index.variants[table] ?? '', said))
  const most = Math.max(...counts)
  const asked =
    most === 0
      ? []
      : [...members]
          .filter((_, at) => counts[at] === most)
          .map(nameOf)
          .filter(isThere)
  return { maintained: nameOf(first), asked, names }
}

function saidOf(variant: string, said: readonly string[]): number {
  return variant === '' ? 0 : said.filter(word => variant.includes(`|${word}|`)).length
}
