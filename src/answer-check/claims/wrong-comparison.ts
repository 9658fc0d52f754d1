import type { Figure } from '../figures/figure.ts'
import { SAYS } from '../figures/wording.ts'
import type { Mention } from '../mentions.ts'
import type { Parsed } from '../parse-text.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Match } from '../support.ts'
import type { Problem } from '../unsupported-figure.ts'

const EACH = /^(?:both|each|every|all|beide|jede[rs]?|alle)\s/iu
const JOINED =
  /(?<!\p{L})(?:together|total|combined|sum|average|mean|overall|between|insgesamt|zusammen|schnitt|not|nicht)(?!\p{L})|[,;:]/iu
const MORE = /(?<!\p{L})(?:(?:more|higher|larger|bigger|greater)\s(?:\p{L}+\s)?than|ahead of|mehr als)\s(?:the\s)?$/iu
const LESS = /(?<!\p{L})(?:(?:less|fewer|lower|smaller)\s(?:\p{L}+\s)?than|behind|weniger als)\s(?:the\s)?$/iu
const NOTHING = /^\s\p{Ll}+\s(?:nothing|nichts)[\s.!]*$/u

/** Checks comparisons against a result with one measured column: "each shop sold 20", "Oslo sold more than Berlin", "Oslo sold nothing". */
export function wrongComparison(
  parsed: Parsed,
  shown: ReadonlyMap<Figure, readonly Match[]>,
  results: readonly ResultIndex[],
): Problem | undefined {
  const [result] = results
  const measures = result?.numbers.filter(column => !column.key) ?? []
  const [column] = measures
  if (result === undefined || column === undefined || results.length > 1 || measures.length > 1) return undefined
  return wrongEach(parsed, shown, column) ?? wrongSide(parsed, result, column) ?? wrongNothing(parsed, result, column)
}

function wrongEach(
  { text, mentions, figures }: Parsed,
  shown: ReadonlyMap<Figure, readonly Match[]>,
  column: NumberColumn,
): Problem | undefined {
  const [figure] = figures
  if (figure === undefined || figures.length > 1 || mentions.length > 0 || !EACH.test(text) || JOINED.test(text)) return undefined
  const value = shown.get(figure)?.[0]?.value ?? figure.readings[0]?.value
  if (value === undefined || figure.unit !== undefined || figure.word === 'ratio') return undefined
  const isShown = (shown.get(figure)?.length ?? 0) > 0
  const refutes = (cell: number) => {
    if (figure.about === 'over') return cell < value
    if (figure.about === 'under') return cell > value
    return isShown && figure.about === undefined && cell !== value
  }
  const other = column.values.find(refutes)
  if (other === undefined) return undefined
  return { text: figure.text, reason: `${figure.text} is not true of each: a row has ${other} (${column.name})` }
}

function wrongSide({ text, mentions }: Parsed, result: ResultIndex, column: NumberColumn): Problem | undefined {
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

function wrongNothing({ text, mentions }: Parsed, result: ResultIndex, column: NumberColumn): Problem | undefined {
  const [name] = mentions
  if (name === undefined || mentions.length > 1 || !NOTHING.test(text.slice(name.end))) return undefined
  const cell = cellOf(name, result, column)
  if (!(cell > 0)) return undefined
  const said = text.slice(name.start, name.end)
  return { text: said, reason: `${said} does have some in the rows: ${column.name} is ${cell}` }
}

/** Returns the value in the one row with this name. NaN if several rows have the name. */
function cellOf(mention: Mention, result: ResultIndex, column: NumberColumn): number {
  const rows = mention.rows.get(result.id) ?? []
  return rows.length === 1 ? (column.values[rows[0] ?? 0] ?? Number.NaN) : Number.NaN
}
