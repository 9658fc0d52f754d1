import type { Spread } from './statistics.ts'

/** One measured figure, and its goal if it has one. */
export interface Row {
  readonly id: string
  /** A description of the measured work. */
  readonly workload: string
  readonly value: number
  readonly unit: Unit
  /** The goal in the form in which it is printed, such as `≤ 0.50`. Empty if there is no goal. */
  readonly goal: string
  /** Whether the figure reaches its goal. Null if there is no goal. */
  readonly met: boolean | null
  /** The lowest of the figures from several rounds. */
  readonly min?: number
  readonly max?: number
}

export type Unit = 'ms' | '×' | 'MB' | 'tokens' | '%' | 'messages/s'

type Bound = { readonly most: number } | { readonly least: number }

/** Makes a row of the table from one figure, or from the figures of several rounds. */
export function row(id: string, workload: string, value: number | Spread, unit: Unit, bound?: Bound): Row {
  const figures = typeof value === 'number' ? { value } : { value: value.median, min: value.min, max: value.max }
  const goal = bound === undefined ? '' : 'most' in bound ? `≤ ${bound.most}` : `≥ ${bound.least}`
  const met = bound === undefined ? null : 'most' in bound ? figures.value <= bound.most : figures.value >= bound.least
  return { id, workload, unit, goal, met, ...figures }
}
