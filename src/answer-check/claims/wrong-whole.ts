import type { Figure } from '../figures/figure.ts'
import { SAYS } from '../figures/wording.ts'
import type { Grounds, Parsed } from '../parse-text.ts'
import { digitsOf } from '../proven-figure.ts'
import type { ResultIndex } from '../rows/result-index.ts'
import type { Match } from '../support.ts'
import type { Problem } from '../unsupported-figure.ts'

const LATEST = /(?<!\p{L})(?:latest|most recent|newest|neueste[nrs]?|jüngste[nrs]?)(?!\p{L})/iu
const EARLIEST = /(?<!\p{L})(?:earliest|oldest|früheste[nrs]?|älteste[nrs]?)(?!\p{L})/iu

/** Reports claims about all rows where the result may lack some: a total, a count of all, a first or last time. */
export function wrongWhole(
  { text, mentions }: Parsed,
  shown: ReadonlyMap<Figure, readonly Match[]>,
  results: readonly ResultIndex[],
  { given, proven }: Pick<Grounds, 'given' | 'proven'>,
): Problem | undefined {
  const isAsked = (value?: number) => given.asked.some(asked => asked.value === value)
  // "The last six months" is right if the question asked for six, and the result has six rows.
  const isPartial = ({ partial, truncated, rowCount }: ResultIndex) => partial && (truncated || !isAsked(rowCount))
  if (results.length === 0 || !results.every(isPartial) || SAYS.part.test(text)) return undefined
  const reason = (what: string) => `${what} is said of all, and the rows may not be all: the query is limited`
  const end = mentions.find(mention => mention.axis === 'time' && results.some(result => isOpenEnd(result, mention.rows, text)))
  if (end) return { text: text.slice(end.start, end.end), reason: reason(text.slice(end.start, end.end)) }
  const isWhole = SAYS.whole.test(text)
  const isCutAt = (figure: Figure) => results.some(({ rowCount }) => rowCount === figure.readings[0]?.value)
  for (const [figure, matches] of shown) {
    if ((!isWhole && !isCutAt(figure)) || proven.get(digitsOf(figure.text))?.isOfCells) continue
    if (results.some(({ truncated, total }) => truncated && total === figure.readings[0]?.value)) continue
    if (matches.length > 0 || figure.date !== undefined || figure.about === 'over' || isAsked(figure.readings[0]?.value)) continue
    return { text: figure.text, reason: reason(figure.text) }
  }
  return undefined
}

/** Whether the text calls the last row the latest or earliest, although the result may lack later or earlier rows. */
function isOpenEnd(result: ResultIndex, rows: ReadonlyMap<string, readonly number[]>, text: string): boolean {
  const last = result.rowCount - 1
  if (!rows.get(result.id)?.includes(last)) return false
  return result.times.some(({ values }) => {
    const change = (values[last] ?? Number.NaN) - (values[0] ?? Number.NaN)
    return change > 0 ? LATEST.test(text) : change < 0 && EARLIEST.test(text)
  })
}
