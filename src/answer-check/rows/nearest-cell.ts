import type { Figure } from '../figures/figure.ts'
import { conversions, fits } from '../figures/fits.ts'
import { CHECK_LIMITS } from '../limits.ts'
import type { Scope } from '../support.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'

export interface NearestCell {
  /** The text of the cell. */
  readonly text: string
  readonly column: string
  readonly row: number
  readonly result: ResultIndex
  /** True if the figure equals this cell. Then the sentence has the wrong name or column for the figure. */
  readonly fits: boolean
}

/** Returns the cell in scope that is nearest to the figure, as a hint for the rewrite. Undefined if no cell is near. */
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
  return distance <= CHECK_LIMITS.rows.nearestShare * Math.abs(shown) ? best : undefined
}

function nearestRow({ values }: NumberColumn, value: number, rows: Iterable<number> = values.keys()): number {
  const distance = (row: number) => Math.abs((values[row] ?? Number.NaN) - value)
  let best = -1
  for (const row of rows) if (!(distance(best) <= distance(row)) && !Number.isNaN(distance(row))) best = row
  return best
}
