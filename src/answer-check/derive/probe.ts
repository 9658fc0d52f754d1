import type { Budget } from '../budget.ts'
import type { Figure } from '../figures/figure.ts'
import type { NumberColumn } from '../rows/result-index.ts'
import { conversions, type Interval, shownBy } from './fits.ts'

/** The facts of a column that a conversion needs: its unit, and whether its values are whole numbers or fractions. */
type Measure = Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>

/** A figure's neighbourhood reaches this far, relative to the figure. A wrong figure is usually closer than this to the true one. */
const AROUND = 0.07
const AROUND_STEPS = 3

/**
 * Compares a figure with candidates, which are values derived from the rows. A probe in survey mode matches no candidate, but records the candidates
 * near the figure. They show how likely a wrong figure would match by chance.
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

  /** Whether the figure can stand for a value of this column. */
  shows(value: number, column: Measure): boolean {
    const sign = this.figure.sign === -1 ? -1 : 1
    return this.#factorsOf(column).some(factor => this.fits(value * factor * sign))
  }

  /** Whether the value is in the figure's neighbourhood, so that the figure may be a slip for this value. */
  isNear(value: number, column: Measure): boolean {
    const { low, high } = this.#around
    return this.#factorsOf(column).some(factor => Math.abs(value * factor) >= low && Math.abs(value * factor) <= high)
  }

  isInColumn(column: NumberColumn): boolean {
    return this.#factorsOf(column).some(factor =>
      this.#shown.some(({ low, high }) => column.facts.hasWithin(low / factor, high / factor)),
    )
  }

  /** Whether the figure can stand for a value that is already in the figure's unit. */
  fits(value: number): boolean {
    this.#budget.take(1)
    if (this.#budget.isSpent) return false
    if (this.#near === undefined) return this.#isShown(value)
    if (value >= this.#around.low && value <= this.#around.high) this.#near.push(value)
    return false
  }

  /** For a survey: whether the figure matches a candidate, and the candidates cover at most the share `most` of the neighbourhood. */
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

  /** Returns the chance that a random figure in the neighbourhood, with as many digits, matches a candidate. */
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
