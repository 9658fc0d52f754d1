import { clausesOf } from '../claims/clauses.ts'
import type { Figure } from '../figures/figure.ts'
import type { NamedText } from '../mentions.ts'
import type { Parsed } from '../parse-text.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import type { Match } from '../support.ts'
import type { Worked, WorkedPart } from './worked-part.ts'
import type { WorkBench } from './working.ts'

/** A figure that its working confirms. */
export interface WorkedFigure extends Worked {
  readonly figure: Figure
  readonly expression: string
}

/**
 * The context of a figure with a working. `before` and `behind` are the nearest figures with workings. `previous` and `next` are
 * the nearest amounts with workings.
 */
export interface Around {
  readonly parsed: Parsed
  readonly before?: Figure | undefined
  readonly behind?: Figure | undefined
  readonly previous?: WorkedFigure | undefined
  readonly next?: WorkedFigure | undefined
  readonly results: readonly ResultIndex[]
  readonly bench: WorkBench
  /** All figures of the sentence that have workings. */
  readonly worked: readonly WorkedFigure[]
  /** The lines that the sentence continues. */
  readonly context: NamedText
  /** The cells that the figures show. Absent if the figures have workings. */
  readonly shown?: ReadonlyMap<Figure, readonly Match[]>
}

/** Matches the names of columns that hold changes. The sign of a change tells its direction. */
export const IS_CHANGE = /(?:^|_)(?:change|delta|diff|difference|growth|trend|gain|balance)(?:_|$)/i

/** Returns the words before and behind a figure, up to the end of its clause or the next worked figure. */
export function ownWords({ figure }: WorkedFigure, { parsed: { text }, before, behind }: Around): readonly [string, string] {
  const clauses = clausesOf(text)
  const own = clauses.findIndex(({ start, end }) => figure.start >= start && figure.end <= end)
  const { start, end } = clauses[own] ?? { start: 0, end: text.length }
  // An apposition is part of the figure's clause: "The largest, with 12", "12 in May, the lowest of the year".
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

/** Returns the column and rows that a working reads. Undefined if the working is not a cell of a number column. */
export function measuredCells(
  { parts }: Pick<WorkedFigure, 'parts'>,
  results: readonly ResultIndex[],
): { result: ResultIndex; column: NumberColumn; rows: readonly number[] } | undefined {
  const [part, ...rest] = parts
  const result = results.find(({ id }) => id === part?.query)
  const column = result?.numbers.find(({ name }) => name.toLowerCase() === part?.column?.toLowerCase())
  return part?.isCell && rest.length === 0 && result && column ? { result, column, rows: part.rows } : undefined
}

export function endsOf({ values }: Pick<NumberColumn, 'values'>): { readonly least: number; readonly most: number } {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return { least, most }
}

export interface CellAt {
  readonly column: NumberColumn
  readonly row: number
}

/** Returns the single cell that a working reads. Undefined for other workings. */
export function cellAt(
  parts: readonly WorkedPart[],
  results: readonly ResultIndex[],
): (CellAt & { readonly result: ResultIndex }) | undefined {
  const cells = measuredCells({ parts }, results)
  const [row, ...others] = cells?.rows ?? []
  return cells === undefined || row === undefined || others.length > 0 ? undefined : { ...cells, row }
}

/** Returns a figure's amount in base units. Undefined for a day, and if the two figures measure different things. */
export function comparableAmount(figure: Figure, other: Figure): number | undefined {
  const [reading] = figure.readings
  if (reading === undefined || figure.date !== undefined || figure.word === 'ratio') return undefined
  const dimensions = [figure, other].map(({ unit }) => unit?.dimension)
  if (dimensions.every(dimension => dimension !== undefined) && dimensions[0] !== dimensions[1]) return undefined
  // The figures may share a unit or multiplier: "from 6.56 to 6.5 million", "from 5 to 6 ms".
  const shared = (other.unit?.factor ?? 1) * (reading.value < 1000 ? (other.readings[0]?.multiplier ?? 1) : 1)
  const multiplied = reading.multiplier === 1 && figure.unit === undefined ? shared : 1
  return (figure.sign === -1 ? -1 : 1) * reading.value * (figure.unit?.factor ?? multiplied)
}
