import type { NamedText } from '../mentions.ts'
import type { CheckedText, Parsed } from '../parse-text.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'
import type { Around, WorkedFigure } from '../workings/worked-figure.ts'
import type { WorkBench } from '../workings/working.ts'
import { isMoment, wrongExtreme } from './extremes.ts'
import { outsidePeriod } from './outside-period.ts'
import type { OwnedPart, Sentence } from './row-names.ts'
import { unnamedRow } from './unnamed-row.ts'
import { wrongAggregate } from './wrong-aggregate.ts'
import { wrongColumn } from './wrong-column.ts'
import { wrongDirection, wrongTurn } from './wrong-direction.ts'
import { wrongLimit } from './wrong-limit.ts'
import { wrongMix } from './wrong-mix.ts'
import { wrongNull } from './wrong-null.ts'
import { wrongDifference, wrongNeighbour } from './wrong-order.ts'
import { wrongRow } from './wrong-row.ts'
import { wrongSize } from './wrong-size.ts'
import { wrongWhole } from './wrong-whole.ts'
import { wrongWord } from './wrong-word.ts'

// Each rule reports what contradicts the rows. What it cannot judge, it lets pass.

/** The rules of a text: of its names, its NULLs, and its numbers of rows. */
const OF_TEXT: readonly ((text: CheckedText) => Problem | undefined)[] = [wrongTurn, wrongMix, wrongNull, wrongWhole, wrongSize]

/** The rules of the rows that a sentence's workings read. */
const OF_ROWS: readonly ((parts: readonly OwnedPart[], sentence: Sentence) => Problem | undefined)[] = [
  wrongRow,
  outsidePeriod,
  unnamedRow,
]

/** The rules of the words around a figure with a working. Each returns its reason. */
const OF_FIGURE: readonly ((each: WorkedFigure, around: Around) => string | undefined)[] = [
  wrongDirection,
  wrongDifference,
  wrongNeighbour,
  wrongLimit,
  wrongColumn,
  wrongWord,
  wrongAggregate,
]

/** Checks the claims of a text that need no workings. */
export function wrongInText(text: CheckedText): readonly Problem[] {
  return OF_TEXT.flatMap(rule => rule(text) ?? [])
}

/** Checks whether the rows that workings read are those that the sentence names. */
export function* wrongInRows(parts: readonly OwnedPart[], sentence: Sentence): Generator<void, readonly Problem[]> {
  const problems: Problem[] = []
  for (const rule of OF_ROWS) {
    const problem = rule(parts, sentence)
    if (problem !== undefined) problems.push(problem)
    yield
  }
  return problems
}

/** Checks the words around figures that have workings: highest or lowest, rises and falls, comparisons, and counts above or below a limit. */
export function* wrongBesideFigures(
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
    for (const rule of OF_FIGURE) {
      const reason = rule(each, around)
      if (reason !== undefined) return { text: each.figure.text, reason }
      yield
    }
  }
  return undefined
}
