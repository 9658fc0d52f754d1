import type { Measure } from './plan.ts'
import { refuse } from './refusal.ts'
import type { Column, JoinSide, MatchReport, Relation } from './relation.ts'

/**
 * Refuses sums and counts in which a join made rows count several times.
 * - A sum over one side is refused if the other side has several rows of a key, unless it groups by a column of that other side.
 * - A sum or count is refused in any case if both sides have several rows of a key.
 * @param column the measured column; undefined for a count or share of rows
 * @param grouping the columns by which the rows are grouped
 * @throws PlanRefusal
 */
export function refuseRepeatedRows(
  key: string,
  measure: Measure,
  { joins }: Relation,
  { column, grouping }: { readonly column: Column | undefined; readonly grouping: readonly Column[] },
): void {
  if (measure.function === 'min' || measure.function === 'max' || measure.function === 'count_distinct') return
  const isSum = measure.function !== 'count' && column !== undefined
  const groups = grouping.flatMap(({ sides = [] }) => sides)
  const has = (all: readonly JoinSide[], join: MatchReport, wanted: string) =>
    all.some(({ join: { node }, side }) => node === join.node && side === wanted)
  for (const join of joins) {
    const { most_rows_left: left, most_rows_right: right } = join.counts
    const repeats = (side: string, other: string, rows: number) =>
      rows > 1 && has(column?.sides ?? [], join, side) && !has(groups, join, other)
    if (join.multiplies || (isSum && (repeats('left', 'right', right) || repeats('right', 'left', left)))) {
      refuse(
        `"${key}" cannot calculate "${measure.name}": ${rowsPerKey(join)}, so rows would count several times. Ask for one row of each key.`,
      )
    }
  }
}

export function rowsPerKey({ counts: { most_rows_left: left, most_rows_right: right } }: MatchReport): string {
  return `a key has up to ${left} rows on the left side and up to ${right} on the right side`
}
