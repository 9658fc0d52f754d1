import { memoizePerObject, memoizePerText } from '../base/memoize.ts'
import { inSlices } from '../base/slices.ts'
import { buildLexicon } from '../warehouse/retrieval/lexicon.ts'
import { SOURCE_LIMITS } from './limits.ts'
import type { SourceCard } from './source.ts'
import { buildSourceIndex, type ConceptScores, type SourceIndex, totalScores } from './source-index.ts'

export interface SourceAsk {
  readonly question: string
  /** The source of the thread's last answer. */
  readonly conversationSource?: string | undefined
  /** The sources that the asker may use. */
  readonly sources: readonly SourceCard[]
  /** Whether the schemas of these sources fit into one prompt. */
  fits(sources: readonly string[]): boolean
}

/** Numbers of the decision, tuned on the seen half of `test/cases/routing`. All are shares of the best source's score. */
const SHARES = {
  /** Another source is needed too if it would add more than this. */
  added: 0.25,
  /** A source is a candidate from this score on. */
  candidate: 0.3,
  /** Two sources are about equal from this score on. */
  equal: 0.8,
} as const
/** Scores, in units of the index. Words that are in no name, such as those of a place, have less than `evidence`. */
const UNITS = {
  /** A lower best score says nothing of a source. */
  evidence: 0.5,
  /** A thread leaves its source only for another one that would add `SHARES.added` of this. */
  thread: 2,
} as const

/** Words that point back to the rows of the last answer, so that their source is needed too. */
const POINTS_BACK = /(?<!\p{L})(?:these|those|them|their|diese[mnrs]?|deren|davon)(?!\p{L})/iu

/**
 * Finds the sources that a question is about, without a model: their ids, the likeliest first. A prompt shows them together, each
 * narrowed if it must be, and a model decides among those that are about equally likely. The index of a set of sources is
 * built once.
 */
export class SourceResolver {
  readonly #lexicon = buildLexicon()
  #lastNumber = 0
  /** A number for each card, because sets of cards are compared by their numbers. */
  readonly #numberOf = memoizePerObject((_: SourceCard) => ++this.#lastNumber)
  readonly #indexOf = memoizePerText(
    (_: string, cards: readonly SourceCard[]) => inSlices(buildSourceIndex(cards, this.#lexicon)),
    SOURCE_LIMITS.indexes,
  )

  /** @param ask.sources the same objects while sources and rights are the same, because their index is cached by them */
  async resolve(ask: SourceAsk): Promise<readonly string[]> {
    if (ask.sources.length < 2) return ask.sources.map(({ id }) => id)
    return resolveAmong(await this.#indexOf(ask.sources.map(this.#numberOf).join(' '), ask.sources), ask)
  }
}

/** Decides among two or more sources. */
export function resolveAmong(index: SourceIndex, { question, conversationSource, sources, fits }: SourceAsk): readonly string[] {
  const ids = sources.map(({ id }) => id)
  const last = conversationSource !== undefined && ids.includes(conversationSource) ? conversationSource : undefined
  const kept = last !== undefined && POINTS_BACK.test(question) ? [last] : []
  const resolved = (found: readonly string[]) => [...new Set([...found.slice(0, SOURCE_LIMITS.shown - kept.length), ...kept])]
  const named = index.named(question)
  if (named.length > 0) return resolved(named)
  const scores = index.score(question)
  const ranked = totalScores(scores)
  const [best, top] = ranked[0] ?? [0, 0]
  if (last !== undefined) {
    const worth = Math.max(top, UNITS.thread * index.unit)
    if (mostAdded(scores, ids.indexOf(last)) <= SHARES.added * worth) return resolved([last])
  }
  const from = (share: number) => ranked.filter(([, score]) => score >= share * top).map(([at]) => ids[at] ?? '')
  const all = [...new Set([...from(0), ...ids])]
  const isFirm = top >= UNITS.evidence * index.unit
  const isEnough = mostAdded(scores, best) <= SHARES.added * top
  const equals = isFirm ? from(SHARES.equal) : all
  if (isFirm && isEnough && equals.length === 1) return resolved(equals)
  if (fits(all)) return all
  // The sources complete each other, so the question may need them all. Each shows only the tables that fit.
  return resolved(isFirm && !isEnough ? from(SHARES.candidate) : equals)
}

/** Returns how much any other source would add to one: the sum over the concepts that the other expresses better. */
function mostAdded(scores: ConceptScores, to: number): number {
  const added = scores.map(concept => {
    const own = concept.get(to) ?? 0
    return new Map([...concept].flatMap(([source, score]) => (score > own ? [[source, score - own] as const] : [])))
  })
  return totalScores(added)[0]?.[1] ?? 0
}
