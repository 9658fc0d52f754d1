import type { Parsed } from '../parse-text.ts'
import type { ResultIndex } from '../result-index.ts'
import type { Problem } from '../unsupported-figure.ts'
import { NOT, type WorkedFigure } from './worked-figure.ts'
import { wrongDirection } from './wrong-direction.ts'
import { wrongExtreme } from './wrong-extreme.ts'
import { wrongComparison, wrongNeighbour } from './wrong-order.ts'

const ABOVE =
  /(?<!\p{L})(?:above|over|more than|higher than|exceed(?:s|ed|ing)?|at least|über|mehr als|mindestens)\s(?:\p{Lu}{3}\s)?[$€]?[-−]?$/iu

const BELOW =
  /(?<!\p{L})(?:below|under|less than|lower than|fewer than|at most|unter|weniger als|höchstens)\s(?:\p{Lu}{3}\s)?[$€]?[-−]?$/iu

/**
 * What a sentence says of figures that their workings prove: that a cell is the highest or lowest, that something rose or fell, that one is more or less than
 * another, that counted rows lie above or below a limit. Only what the rows contradict is a problem; what they leave open is not.
 */
export function wrongClaim(
  worked: readonly WorkedFigure[],
  parsed: Parsed,
  results: readonly ResultIndex[],
): Problem | undefined {
  for (const [index, each] of worked.entries()) {
    const around = { parsed, before: worked[index - 1]?.figure, behind: worked[index + 1]?.figure, results }
    const reason =
      wrongExtreme(each, around) ??
      wrongDirection(each, around) ??
      wrongComparison(each, around) ??
      wrongNeighbour(each, worked[index + 1], around) ??
      wrongLimit(each, parsed)
    if (reason !== undefined) return { text: each.figure.text, reason }
  }
  return undefined
}

/** "All 4 {= count(level_pct > 96)} were above 96 %". */
function wrongLimit({ figure, expression }: WorkedFigure, { text, figures }: Parsed): string | undefined {
  for (const [, operator = '', limit = ''] of expression.matchAll(/([<>])=?\s*(-?\d+(?:\.\d+)?)/g)) {
    for (const other of figures) {
      if (other === figure || !other.readings.some(({ value }) => value === Math.abs(Number(limit)))) continue
      const words = text.slice(Math.max(0, other.start - 30), other.start)
      const isAbove = ABOVE.test(words)
      if (isAbove === BELOW.test(words) || NOT.test(words) || isAbove === (operator === '>')) continue
      if (expression.includes(isAbove ? '>' : '<')) continue
      return `${figure.text} counts what is ${operator === '>' ? 'above' : 'below'} ${other.text}`
    }
  }
  return undefined
}
