import type { Figure } from '../figures.ts'
import { clausesOf } from '../order-claims.ts'
import type { Parsed } from '../parse-text.ts'
import type { NumberColumn, ResultIndex } from '../result-index.ts'
import type { WorkedPart } from './worked-part.ts'

/** A figure that its working came to, with what it is made of. */
export interface WorkedFigure {
  readonly figure: Figure
  readonly expression: string
  readonly parts: readonly WorkedPart[]
}

/** What stands around a worked figure: the worked figures beside it, and the rows. */
export interface Around {
  readonly parsed: Parsed
  readonly before: Figure | undefined
  readonly behind: Figure | undefined
  readonly results: readonly ResultIndex[]
}

/** A claim that is denied is not judged. */
export const NOT = /(?<!\p{L})(?:not?|never|neither|nor|nicht|kein\p{L}*|nie|weder)(?![\p{L}-])/iu

/** The words of a figure's own clause in front of it and behind it, up to the figures beside it. */
export function ownWords({ figure }: WorkedFigure, { parsed: { text }, before, behind }: Around): readonly [string, string] {
  const clauses = clausesOf(text)
  const own = clauses.findIndex(({ start, end }) => figure.start >= start && figure.end <= end)
  const { start, end } = clauses[own] ?? { start: 0, end: text.length }
  // "The largest, with 12", "12 in May, the lowest of the year": an apposition goes with the figure.
  const isApposed = /,\s$/.test(text.slice(0, start)) && LEADS_ON.test(text.slice(start, figure.start))
  const next = clauses[own + 1]
  const isFollowed =
    next !== undefined &&
    (behind === undefined || behind.start >= next.end) &&
    /,\s$/.test(text.slice(0, next.start)) &&
    APPOSED.test(text.slice(next.start))
  const from = Math.max(isApposed ? (clauses[own - 1]?.start ?? start) : start, before?.end ?? 0)
  const to = Math.min(isFollowed ? next.end : end, behind?.start ?? text.length)
  return [text.slice(from, figure.start), text.slice(figure.end, to)]
}

const LEADS_ON =
  /^\W*(?:(?:with|at|by|on|about|around|some|namely|nämlich|mit|bei|etwa|rund|only|just|nur)\s){0,3}(?:\p{Lu}{3}\s)?[$€]?[-−]?$/iu

const APPOSED = /^(?:the|its|their|das|der|die|den|dem)\s/iu

/** The one column of numbers that a figure is a cell of, with its rows. */
export function cellOf(
  { parts }: WorkedFigure,
  results: readonly ResultIndex[],
): { result: ResultIndex; column: NumberColumn; rows: readonly number[] } | undefined {
  const [part, ...rest] = parts
  const result = results.find(({ id }) => id === part?.query)
  const column = result?.numbers.find(({ name }) => name.toLowerCase() === part?.column?.toLowerCase())
  return part?.isCell && rest.length === 0 && result && column ? { result, column, rows: part.rows } : undefined
}

export function endsOf({ values }: NumberColumn): { readonly least: number; readonly most: number } {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return { least, most }
}

/** One cell of a column of numbers. */
export interface CellAt {
  readonly column: NumberColumn
  readonly row: number
}

export function valueAt({ column, row }: CellAt): number {
  return column.values[row] ?? Number.NaN
}

/** The two cells that a difference or a change in percent is of. */
export function pairOf(
  { expression, parts }: WorkedFigure,
  results: readonly ResultIndex[],
): { result: ResultIndex; one: CellAt; other: CellAt } | undefined {
  if (
    !/-(?!\s*\d+\s*[\]])/.test(expression.replace(/\[[^\]]*\]/g, '')) ||
    !parts.every(part => part.isCell && !part.isTime && part.rows.length === 1)
  )
    return undefined
  const cells = new Map(parts.map(part => [`${part.query}.${part.column?.toLowerCase()}.${part.rows[0]}`, part]))
  const [one, other, ...rest] = [...cells.values()]
  if (one === undefined || other === undefined || rest.length > 0 || one.query !== other.query) return undefined
  const result = results.find(({ id }) => id === one.query)
  const at = (part: WorkedPart): CellAt | undefined => {
    const column = result?.numbers.find(({ name }) => name.toLowerCase() === part.column?.toLowerCase())
    return column && { column, row: part.rows[0] ?? 0 }
  }
  const [first, second] = [at(one), at(other)]
  return result && first && second ? { result, one: first, other: second } : undefined
}
