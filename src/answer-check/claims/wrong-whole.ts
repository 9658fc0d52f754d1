import type { Figure } from '../figures/figure.ts'
import { SAYS } from '../figures/wording.ts'
import { type CheckedText, followsArticle } from '../parse-text.ts'
import { digitsOf } from '../proven-figure.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'

/** Reports a claim about all rows ("in total", "all nine") if the result may lack some of them. */
export function wrongWhole({ parsed: { text }, shown, grounds: { results, given, proven } }: CheckedText): Problem | undefined {
  const isAsked = (value?: number) => given.asked.some(asked => asked.value === value)
  // "The last six months" is true if the question asked for six months and the result has six rows.
  const isPartial = ({ partial, truncated, rowCount }: ResultIndex) => partial && (truncated || !isAsked(rowCount))
  if (results.length === 0 || !results.every(isPartial) || SAYS.part.test(text)) return undefined
  const isWhole = SAYS.whole.test(text)
  // "The nine oldest tickets" and "all ten" are those of the rows. "Nine tickets are open" is said of all.
  const isCutAt = (figure: Figure) =>
    results.some(({ rowCount }) => rowCount === figure.readings[0]?.value) && !followsArticle(figure, text)
  for (const [figure, matches] of shown) {
    if ((!isWhole && !isCutAt(figure)) || proven.get(digitsOf(figure.text))?.isOfCells) continue
    if (results.some(({ truncated, total }) => truncated && total === figure.readings[0]?.value)) continue
    if (matches.length > 0 || figure.date !== undefined || figure.about === 'over' || isAsked(figure.readings[0]?.value)) continue
    return { text: figure.text, reason: `${figure.text} is said of all, and the rows may not be all: the query is limited` }
  }
  return undefined
}
