import type { Figure } from './figure.ts'
import { conversions, fits } from './fits.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import type { Scope } from './support.ts'

export interface NearestCell {
  /** As it stands in the row. */
  readonly text: string
  readonly column: string
  readonly row: number
  readonly result: ResultIndex
  /** The figure shows just this cell, so what is wrong is what it is said to be. */
  readonly fits: boolean
}

/** A cell farther away than this part of the figure is none that it was meant to show. */
const FARTHEST = 0.5

/** The cell in scope that is nearest to what the figure shows, for the message that asks for a rewrite; undefined where none is near. */
export function nearestCell(figure: Figure, results: readonly ResultIndex[], scope: Scope): NearestCell | undefined {
  const shown = figure.readings[0]?.value
  if (shown === undefined) return undefined
  let best: NearestCell | undefined
  let distance = Number.POSITIVE_INFINITY
  for (const result of results) {
    for (const column of result.numbers) {
      for (const factor of conversions(figure, column)) {
        const row = nearestRow(column, shown / factor, scope.get(result.id))
        const value = (column.values[row] ?? Number.NaN) * factor
        if (!(Math.abs(value - shown) < distance)) continue
        distance = Math.abs(value - shown)
        best = { text: column.texts[row] ?? '', column: column.name, row, result, fits: fits(value, figure) }
      }
    }
  }
  return distance <= FARTHEST * Math.abs(shown) ? best : undefined
}

function nearestRow(column: NumberColumn, value: number, rows: readonly number[] | undefined): number {
  if (rows === undefined) return column.values.indexOf(column.facts.nearestTo(value))
  let best = -1
  let distance = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const away = Math.abs((column.values[row] ?? Number.NaN) - value)
    if (!(away < distance)) continue
    best = row
    distance = away
  }
  return best
}
