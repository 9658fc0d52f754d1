import { SAYS } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import type { Parsed } from '../parse-text.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Problem } from '../unsupported-figure.ts'

const JOINED =
  /(?<!\p{L})(?:together|total|combined|sum|average|mean|overall|between|insgesamt|zusammen|schnitt|not|nicht)(?!\p{L})|[,;:]/iu
const MORE = /(?<!\p{L})(?:(?:more|higher|larger|bigger|greater)\s(?:\p{L}+\s)?than|ahead of|mehr als)\s(?:the\s)?$/iu
const LESS = /(?<!\p{L})(?:(?:less|fewer|lower|smaller)\s(?:\p{L}+\s)?than|behind|weniger als)\s(?:the\s)?$/iu

/** Checks comparisons against a result with one measured column: "Oslo sold more than Berlin". */
export function wrongComparison({ text, mentions }: Parsed, results: readonly ResultIndex[]): Problem | undefined {
  const [result] = results
  const measures = result?.numbers.filter(column => !column.key) ?? []
  const [column] = measures
  if (result === undefined || column === undefined || results.length > 1 || measures.length > 1) return undefined
  const [one, other] = mentions
  if (one === undefined || other === undefined || mentions.length > 2 || one.axis !== other.axis || JOINED.test(text))
    return undefined
  const between = text.slice(one.end, other.start)
  const side = MORE.test(between) ? 1 : LESS.test(between) ? -1 : 0
  if (side === 0 || SAYS.per.test(text) || SAYS.none.test(text) || SAYS.up.test(text) || SAYS.down.test(text)) return undefined
  const change = cellOf(one, result, column) - cellOf(other, result, column)
  if (Number.isNaN(change) || Math.sign(change) === side) return undefined
  const what = text.slice(one.start, other.end)
  return { text: what, reason: `${what}: it is the other way round, or equal, in ${column.name}` }
}

/** Returns the value in the one row with this name. NaN if several rows have the name. */
function cellOf(mention: Mention, result: ResultIndex, column: NumberColumn): number {
  const rows = mention.rows.get(result.id) ?? []
  return rows.length === 1 ? (column.values[rows[0] ?? 0] ?? Number.NaN) : Number.NaN
}
