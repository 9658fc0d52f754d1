import type { Budget } from '../budget.ts'
import type { Figure } from '../figures/figure.ts'
import type { NumberColumn } from '../rows/result-index.ts'
import { conversions, type Interval, shownBy } from './fits.ts'

/** A column's unit and range of values. */
type Measure = Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>

/** How far around a figure the survey looks, relative to the figure. A wrong figure is usually closer to the true one. */
const AROUND = 0.07
const AROUND_STEPS = 3

/**
 * Compares candidates, values derived from the rows, with a figure. In a survey it matches none, but records those nearby: they tell how likely a
 * wrong figure would match by chance.
 */
export class Probe {
  readonly figure: Figure
  readonly #budget: Budget
  readonly #shown: readonly Interval[]
  readonly #around: Interval
  readonly #factors = new Map<Measure, readonly number[]>()
  readonly #near: number[] | undefined

  constructor(figure: Figure, budget: Budget, survey = false) {
    this.figure = figure
    this.#budget = budget
    this.#shown = shownBy(figure)
    const value = figure.readings[0]?.value ?? Number.NaN
    const away = Math.max(AROUND * Math.abs(value), AROUND_STEPS * (figure.readings[0]?.step ?? 0))
    this.#around = { low: value - away, high: value + away }
    this.#near = survey ? [] : undefined
  }

  get isSpent(): boolean {
    return this.#budget.isSpent
  }

  /** Whether the figure shows a value of this column. */
  shows(value: number, column: Measure): boolean {
    const sign = this.figure.sign === -1 ? -1 : 1
    return this.#factorsOf(column).some(factor => this.fits(value * factor * sign))
  }

  /** Whether an altered figure may have meant this value. */
  isNear(value: number, column: Measure): boolean {
    const { low, high } = this.#around
    return this.#factorsOf(column).some(factor => Math.abs(value * factor) >= low && Math.abs(value * factor) <= high)
  }

  isInColumn(column: NumberColumn): boolean {
    return this.#factorsOf(column).some(factor =>
      this.#shown.some(({ low, high }) => column.facts.hasWithin(low / factor, high / factor)),
    )
  }

  /** Whether the figure shows a value in the figure's unit. */
  fits(value: number): boolean {
    this.#budget.take(1)
    if (this.#budget.isSpent) return false
    if (this.#near === undefined) return this.#isShown(value)
    if (value >= this.#around.low && value <= this.#around.high) this.#near.push(value)
    return false
  }

  /** In a survey: whether the figure shows a candidate, and candidates cover at most this part of the neighbourhood. */
  isTelling(most: number): boolean {
    const near = this.#near ?? []
    if (this.#budget.isSpent || !near.some(value => this.#isShown(value))) return false
    return this.#coverage(near) <= most
  }

  #factorsOf(column: Measure): readonly number[] {
    const known = this.#factors.get(column)
    if (known !== undefined) return known
    const factors = conversions(this.figure, column)
    this.#factors.set(column, factors)
    return factors
  }

  #isShown(value: number): boolean {
    return this.#shown.some(({ low, high }) => value >= low && value <= high)
  }

  /** The part of the neighbourhood in which a figure with as many digits would match a value. */
  #coverage(near: readonly number[]): number {
    const shown = this.#shown[0]
    if (shown === undefined) return 1
    const width = shown.high - shown.low
    const { low, high } = this.#around
    let covered = 0
    let upTo = low
    for (const value of [...near].sort((one, other) => one - other)) {
      const from = Math.max(upTo, value - width / 2)
      const to = Math.min(high, value + width / 2)
      if (to > from) covered += to - from
      upTo = Math.max(upTo, to)
    }
    return covered / (high - low)
  }
}
