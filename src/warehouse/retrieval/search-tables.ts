import { RETRIEVAL_LIMITS } from '../limits.ts'
import type { TablesAsk } from '../schema-source.ts'
import { buildLexicon } from './lexicon.ts'
import { nearWordsIn } from './near-words.ts'
import { conceptsOf, type Vocabulary } from './question-words.ts'
import type { TableIndex } from './table-index.ts'
import { isCommon, splitWords } from './words.ts'

/** If a found table can be joined to another table, that table gets up to this share of the found table's score. */
const JOIN_WORTH = 0.45
/** The maximum bonus for a table whose database contains many of the best results. */
const NEIGHBOUR_WORTH = 0.5
/**
 * If several families (tables with their copies) match the same words of the question, the score of each further one is
 * multiplied by this factor once more.
 */
const ALIKE_WORTH = 0.93
/** The weight of words from the previous question. Words of the current question have weight 1. */
const CONTEXT_WORTH = 0.35

/** A table that a question may need, together with its near-duplicates (copies, yearly tables). */
export interface FoundFamily {
  /** The table that is most likely kept up to date, as `database.table`. The others of the family are its copies. */
  readonly maintained: string
  /** The tables of the family with a year, version or kind that the question mentions. */
  readonly asked: readonly string[]
  readonly score: number
  /** Returns the names of all tables of the family. The one that is most likely kept up to date comes first. */
  names(): readonly string[]
}

export interface TableSearch {
  /**
   * Returns the families (tables with their copies) that a question may need, best first. Searches by words, and then follows
   * joins. In a catalog of 10,000 tables, a search takes well under a millisecond.
   * @param most the maximum number of families
   * @param isThere whether the asker is allowed to know about a table
   */
  search(ask: TablesAsk, most: number, isThere: (name: string) => boolean): readonly FoundFamily[]
}

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

  /** @param matched filled by this function: for each family, one bit per word of the question that it matches */
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
      // A word of the question may match a family by several synonyms. Only the best one adds to the family's score.
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
      // If no table matches, each family gets its prior: how likely questions are about it at all.
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
      for (const family of ranked(scores, RETRIEVAL_LIMITS.scoreShare)) {
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

/** Raises the scores of tables in databases that contain many of the best results. Related tables often share a database. */
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

/** If a table can be joined to one of the best results, raises its score. The question may need both. */
function followJoins(index: TableIndex, scores: Float32Array): void {
  const best = ranked(scores, 0.3).slice(0, RETRIEVAL_LIMITS.followedFamilies)
  const gains = new Map<number, number>()
  for (const family of best) {
    for (let at = index.linkStarts[family] ?? 0; at < (index.linkStarts[family + 1] ?? 0); at++) {
      const to = index.linkedFamilies[at] ?? 0
      const gain = JOIN_WORTH * (index.linkWeights[at] ?? 0) * (scores[family] ?? 0)
      gains.set(to, Math.max(gain, gains.get(to) ?? 0))
    }
  }
  // If several of the best results can be joined to the same table, only the strongest join raises its score.
  for (const [family, gain] of gains)
    scores[family] = Math.max(scores[family] ?? 0, Math.min(gain + (scores[family] ?? 0), gain * 2))
}

/**
 * Lowers a family's score if better families (tables with their copies) match the same words of the question. Otherwise twenty
 * families with the same words would leave no space for results that match other words.
 */
function spread(scores: Float32Array, matched: Uint32Array): void {
  const before = new Map<number, number>()
  for (const family of ranked(scores, RETRIEVAL_LIMITS.scoreShare)) {
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

/**
 * Returns those tables of a family that the asker may see: the maintained table, and the tables of the year, version or kind in
 * the question.
 */
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
