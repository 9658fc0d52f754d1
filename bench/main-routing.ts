import { atOnce } from '../src/base/at-once.ts'
import { resolveAmong } from '../src/sources/resolver.ts'
import { buildSourceIndex } from '../src/sources/source-index.ts'
import { buildLexicon } from '../src/warehouse/retrieval/lexicon.ts'
import { measureRouting } from '../test/routing/measure.ts'
import { otherSources, routingQuestions, routingWorld } from '../test/routing/world.ts'
import { quantile } from './statistics.ts'

/*
 * Measures how right and how fast questions find their sources, of twelve and of 1,012:
 * `node bench/run-ts.mjs bench/main-routing.ts`.
 */

const REPEATS = 50

for (const others of [0, 1_000]) {
  const cards = [...routingWorld(), ...otherSources(others)]
  const began = performance.now()
  const index = atOnce(buildSourceIndex(cards, buildLexicon()))
  const builtMs = performance.now() - began
  const questions = [...routingQuestions('questions.txt'), ...routingQuestions('cross-source.txt')]
  const times = Array.from({ length: REPEATS }, () => questions).flatMap(each =>
    each.map(({ question }) => {
      const from = performance.now()
      resolveAmong(index, { question, sources: cards, fits: ids => ids.length <= 5 })
      return performance.now() - from
    }),
  )
  const figures = (['questions.txt', 'cross-source.txt'] as const).flatMap(file =>
    (['seen', 'unseen'] as const).map(half => {
      const { missed, ...shares } = measureRouting(
        cards,
        routingQuestions(file).filter(each => each.half === half),
      )
      return { file, half, ...shares, missed: missed.length }
    }),
  )
  process.stdout.write(
    `${JSON.stringify({ sources: cards.length, builtMs, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), figures }, null, 2)}\n`,
  )
}
