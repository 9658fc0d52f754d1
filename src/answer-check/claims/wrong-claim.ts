import type { NamedText } from '../mentions.ts'
import type { Parsed } from '../parse-text.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'
import type { WorkedFigure } from '../workings/worked-figure.ts'
import type { WorkBench } from '../workings/working.ts'
import { isMoment, wrongExtreme } from './extremes.ts'
import { wrongAggregate } from './wrong-aggregate.ts'
import { wrongColumn } from './wrong-column.ts'
import { wrongDirection } from './wrong-direction.ts'
import { wrongLimit } from './wrong-limit.ts'
import { wrongDifference, wrongNeighbour } from './wrong-order.ts'
import { wrongWord } from './wrong-word.ts'

const RULES = [wrongDirection, wrongDifference, wrongNeighbour, wrongLimit, wrongColumn, wrongWord, wrongAggregate] as const

/**
 * Checks claims about figures that have workings: highest or lowest, rises and falls, comparisons, and counts above or below a
 * limit. A claim is a problem only if it contradicts the rows.
 */
export function* wrongClaim(
  worked: readonly WorkedFigure[],
  parsed: Parsed,
  results: readonly ResultIndex[],
  bench: WorkBench,
  context: NamedText,
): Generator<void, Problem | undefined> {
  const amounts = worked.filter(each => !isMoment(each, results))
  const extreme = yield* wrongExtreme({ parsed, results, bench, context, worked })
  if (extreme !== undefined) return extreme
  for (const each of worked) {
    const [index, at] = [worked.indexOf(each), amounts.indexOf(each)]
    const around = {
      parsed,
      results,
      bench,
      context,
      worked,
      before: worked[index - 1]?.figure,
      behind: worked[index + 1]?.figure,
      ...(at >= 0 && { previous: amounts[at - 1], next: amounts[at + 1] }),
    }
    for (const rule of RULES) {
      const reason = rule(each, around)
      if (reason !== undefined) return { text: each.figure.text, reason }
      yield
    }
  }
  return undefined
}
