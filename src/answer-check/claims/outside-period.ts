import { DAY_MS } from '../../base/durations.ts'
import { PERIOD_BETWEEN } from '../figures/wording.ts'
import { compareWithDate } from '../rows/time-column.ts'
import type { Problem } from '../unsupported-figure.ts'
import type { OwnedPart, Sentence } from './row-names.ts'

/**
 * Reports a figure whose working reads rows outside the sentence's period: "From 6 to 19 July there were 460 {= sum(uploads)}".
 * Only a sentence with one worked figure is checked.
 */
export function outsidePeriod(parts: readonly OwnedPart[], { parsed, grounds }: Sentence): Problem | undefined {
  const { text, written } = parsed
  const [first, last, ...others] = written.filter(({ date }) => date?.month !== undefined && date.clock === undefined)
  const [figure, ...rest] = new Set(parts.map(part => part.figure))
  if (!first?.date || !last?.date || others.length + rest.length > 0 || figure === undefined) return undefined
  const [from, until] = [first.date, last.date]
  const isTold = /(?<!\p{L})(?:from|vom|von)\s(?:the\s)?$/iu.test(text.slice(0, first.start))
  if (!isTold || !PERIOD_BETWEEN.test(text.slice(first.end, last.start))) return undefined
  // In "from 20 December to 10 January" the order of the days is unknown.
  if (from.year === undefined && (from.month ?? 0) > (until.month ?? 0)) return undefined
  const isOutside = (part: OwnedPart) => {
    const [times, ...more] = grounds.results.find(({ id }) => id === part.query)?.times ?? []
    if (!times?.days || more.length > 0) return false
    // A week may begin before the period and still end within it, so the end of each row's step counts too.
    const step = Math.abs((times.values[1] ?? Number.NaN) - (times.values[0] ?? Number.NaN)) || DAY_MS
    return part.rows.some(row => {
      const time = times.values[row] ?? Number.NaN
      return compareWithDate(time + step - DAY_MS, from) < 0 || compareWithDate(time, until) > 0
    })
  }
  if (!parts.some(isOutside)) return undefined
  return { text: figure.text, reason: `the working of ${figure.text} reads rows from before ${first.text} or after ${last.text}` }
}
