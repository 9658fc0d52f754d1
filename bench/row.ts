import type { Spread } from './statistics.ts'

/** One figure with what it should be. */
export interface Row {
  readonly id: string
  /** What was done, in words. */
  readonly workload: string
  readonly value: number
  readonly unit: Unit
  /** As it is printed, e.g. `≤ 0.50`; empty for a figure that is only shown. */
  readonly goal: string
  /** Null where there is no goal. */
  readonly met: boolean | null
  /** Of the rounds. */
  readonly min?: number
  readonly max?: number
}

export type Unit = 'ms' | '×' | 'MB' | 'tokens' | '%' | 'messages/s'

type Bound = { readonly most: number } | { readonly least: number }

/** A row from a figure, or from the figures of several rounds. */
export function row(id: string, workload: string, value: number | Spread, unit: Unit, bound?: Bound): Row {
  const figures = typeof value === 'number' ? { value } : { value: value.median, min: value.min, max: value.max }
  const goal = bound === undefined ? '' : 'most' in bound ? `≤ ${bound.most}` : `≥ ${bound.least}`
  const met = bound === undefined ? null : 'most' in bound ? figures.value <= bound.most : figures.value >= bound.least
  return { id, workload, unit, goal, met, ...figures }
}
