import { columnsNamed } from '../rows/column-words.ts'
import type { Derivation } from './derivation.ts'
import { comparableColumns } from './fits.ts'
import type { Probe } from './probe.ts'

/** Whether the figure is the lowest or highest value of a group of rows, or the distance between the two: "21 to 39 up to 17 November". */
export function isExtremeOfGroup(probe: Probe, given: Derivation): boolean {
  if (given.tight || given.ranged === undefined) return false
  return given.results.some(result =>
    columnsNamed(comparableColumns(probe.figure, result.numbers), given.words, true).some(column =>
      (given.ranged ?? []).some(group => {
        const values = (group.get(result.id) ?? []).map(row => column.values[row] ?? Number.NaN).filter(Number.isFinite)
        const least = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
        const most = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
        return values.length > 0 && (probe.shows(least, column) || probe.shows(most, column) || probe.shows(most - least, column))
      }),
    ),
  )
}
