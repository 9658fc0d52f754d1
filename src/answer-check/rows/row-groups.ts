import { numbersIn } from '../derive/derivation.ts'
import { conversions } from '../derive/fits.ts'
import type { Figure } from '../figures/figure.ts'
import { ENDS, FULL, LIMIT_BEFORE, LIMIT_BEHIND, PERIOD_END, PERIOD_JOINT, PERIOD_START, REST } from '../figures/wording.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Mention } from '../mentions.ts'
import type { Scope } from '../support.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import { compareWithDate } from './time-column.ts'

interface Sentence {
  readonly text: string
  readonly mentions: readonly Mention[]
  readonly earlier?: readonly Mention[]
  /** All figures, including those in the names of rows. */
  readonly written: readonly Figure[]
}

type Holds = (row: number) => boolean

/** Returns the groups of rows that a sentence mentions without their names: a period, rows beyond a limit, the first three, the others. */
export function groupsOfRows(sentence: Sentence, results: readonly ResultIndex[]): Scope[] {
  const groups: Scope[] = []
  for (const result of results) {
    if (result.rowCount < 2 || result.rowCount > CHECK_LIMITS.rows.groupedRows) continue
    const found = [
      ...periods(sentence, result),
      ...limits(sentence, result),
      ...others(sentence, result),
      ...ends(sentence, result),
    ]
    for (const holds of found) {
      const rows = Array.from({ length: result.rowCount }, (_, row) => row).filter(holds)
      if (rows.length > 0 && rows.length < result.rowCount) groups.push(new Map([[result.id, rows]]))
      if (groups.length >= CHECK_LIMITS.rows.groups) return groups
    }
  }
  return groups
}

/** Returns the rows of a period, once with its end and once without: "from 02:10 to 02:50", "up to 17 November", "since August". */
function periods({ text, written }: Sentence, result: ResultIndex): Holds[] {
  const dates = written.filter(figure => figure.date !== undefined)
  return result.times.flatMap(column => {
    const order = (row: number, figure: Figure) => compareWithDate(column.values[row] ?? Number.NaN, figure.date ?? {})
    return dates.flatMap((figure, at): Holds[] => {
      const next = dates[at + 1]
      const before = text.slice(0, figure.start)
      if (next && PERIOD_JOINT.test(text.slice(figure.end, next.start)))
        return [row => order(row, figure) >= 0 && order(row, next) < 0, row => order(row, figure) >= 0 && order(row, next) <= 0]
      if (PERIOD_START.test(before)) return [row => order(row, figure) >= 0, row => order(row, figure) > 0]
      if (PERIOD_END.test(before)) return [row => order(row, figure) <= 0, row => order(row, figure) < 0]
      return []
    })
  })
}

/** Returns the rows on either side of a limit: "5 % or less", "more than 25 ms". */
function limits({ text, written }: Sentence, result: ResultIndex): Holds[] {
  return written
    .filter(
      figure =>
        figure.readings.length > 0 &&
        (LIMIT_BEFORE.test(text.slice(0, figure.start)) || LIMIT_BEHIND.test(text.slice(figure.end))),
    )
    .slice(0, 2)
    .flatMap(figure =>
      result.numbers.flatMap(column => {
        const factor = conversions(figure, column)[0]
        return factor === undefined ? [] : sidesOf(column, (figure.readings[0]?.value ?? 0) / factor)
      }),
    )
}

function sidesOf({ values }: NumberColumn, limit: number): Holds[] {
  const at = (row: number) => values[row] ?? Number.NaN
  return [row => at(row) <= limit, row => at(row) < limit, row => at(row) >= limit, row => at(row) > limit]
}

/** Returns the rows that are not named, for "the others". Names of this sentence and of the sentence before count as named. */
function others({ text, mentions, earlier = [] }: Sentence, result: ResultIndex): Holds[] {
  if (!REST.test(text)) return []
  return [mentions, earlier, [...mentions, ...earlier]].flatMap((named): Holds[] => {
    const rows = new Set(named.flatMap(mention => mention.rows.get(result.id) ?? []))
    return rows.size > 0 ? [row => !rows.has(row)] : []
  })
}

/**
 * Returns the rows at one end of the result: "the first two", "the last three". For "every full month", returns all rows except the first or the
 * last.
 */
function ends({ text }: Sentence, { rowCount }: ResultIndex): Holds[] {
  const whole = FULL.test(text) ? [(row: number) => row < rowCount - 1, (row: number) => row > 0] : []
  const counted = [...text.matchAll(ENDS)].map(match => match[0]).join(' ')
  const places = [...new Set(numbersIn(counted))]
    .filter(count => count < rowCount)
    .slice(0, 4)
    .flatMap(count => [
      (row: number) => row < count,
      (row: number) => row >= count && row < 2 * count,
      (row: number) => row >= rowCount - count,
    ])
  return [...whole, ...places]
}
