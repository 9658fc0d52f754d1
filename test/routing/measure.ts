import { atOnce } from '../../src/base/at-once.ts'
import { resolveAmong } from '../../src/sources/resolver.ts'
import type { SourceCard } from '../../src/sources/source.ts'
import { buildSourceIndex, type SourceIndex, totalScores } from '../../src/sources/source-index.ts'
import { buildLexicon } from '../../src/warehouse/retrieval/lexicon.ts'
import type { RoutingQuestion } from './world.ts'

/** How questions were routed where a prompt can show five sources. All are shares of the questions, from 0 to 1. */
export interface RoutingFigures {
  /** The sources that are needed come first. */
  readonly first: number
  /** The sources that are needed are among the first five. */
  readonly inFive: number
  /** The question gets the sources that it needs, alone or among others. */
  readonly routed: number
  /** The question gets one source only. */
  readonly one: number
  readonly missed: readonly string[]
}

export function measureRouting(cards: readonly SourceCard[], questions: readonly RoutingQuestion[]): RoutingFigures {
  const index = atOnce(buildSourceIndex(cards, buildLexicon()))
  const share = (count: number) => count / questions.length
  const results = questions.map(({ question, sources: needed }) => {
    const found = resolveAmong(index, { question, sources: cards, fits: ids => ids.length <= 5 })
    const ranked = rankedIds(index, cards, question)
    const places = needed.map(id => ranked.indexOf(id)).map(place => (place < 0 ? Number.POSITIVE_INFINITY : place))
    return {
      question,
      worst: Math.max(...places) + 1 - needed.length,
      last: Math.max(...places),
      isRouted: needed.every(id => found.includes(id)),
      found,
    }
  })
  return {
    first: share(results.filter(({ worst }) => worst === 0).length),
    inFive: share(results.filter(({ last }) => last < 5).length),
    routed: share(results.filter(({ isRouted }) => isRouted).length),
    one: share(results.filter(({ found }) => found.length === 1).length),
    missed: results
      .filter(({ worst, isRouted }) => worst > 0 || !isRouted)
      .map(({ question, found }) => `${question} → ${JSON.stringify(found)}`),
  }
}

function rankedIds(index: SourceIndex, cards: readonly SourceCard[], text: string): readonly string[] {
  const ranked = totalScores(index.score(text)).map(([at]) => cards[at]?.id ?? '')
  return [...new Set([...index.named(text), ...ranked])]
}
