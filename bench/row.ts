import type { Spread } from './statistics.ts'

/** One figure and its goal. */
export interface Row {
  readonly id: string
  /** A description of the work. */
  readonly workload: string
  readonly value: number
  readonly unit: Unit
  /** The goal as it is printed, such as `≤ 0.50`. Empty if there is none. */
  readonly goal: string
  /** Null if there is no goal. */
  readonly met: boolean | null
  /** The lowest figure of all rounds. */
  readonly min?: number
  readonly max?: number
}

export type Unit = 'ms' | '×' | 'MB' | 'tokens' | '%' | 'messages/s'

type Bound = { readonly most: number } | { readonly least: number }

/** Makes a row from one figure, or from the figures of several rounds. */
export function row(id: string, workload: string, value: number | Spread, unit: Unit, bound?: Bound): Row {
  const figures = typeof value === 'number' ? { value } : { value: value.median, min: value.min, max: value.max }
  const goal = bound === undefined ? '' : 'most' in bound ? `≤ ${bound.most}` : `≥ ${bound.least}`
  const met = bound === undefined ? null : 'most' in bound ? figures.value <= bound.most : figures.value >= bound.least
  return { id, workload, unit, goal, met, ...figures }
}
