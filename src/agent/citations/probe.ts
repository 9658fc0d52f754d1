import type { Budget } from './budget.ts'
import type { Figure } from './figure.ts'
import { conversions, type Interval, shownBy } from './fits.ts'
import type { NumberColumn } from './result-index.ts'

/** What a probe needs to know of a column: its unit, and what its values can be. */
type Measure = Pick<NumberColumn, 'unit' | 'whole' | 'fraction'>

/** How far around a figure the survey looks: an altered figure is at most so far from the true one. */
const AROUND = 0.07
const AROUND_STEPS = 3

/**
 * Holds candidates, values that can be made from the rows, against a figure. It either answers for each whether the figure shows it, or surveys
 * them: then it says of none, but notes those nearby, which tell how likely a wrong figure would meet one by chance.
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

  /** Whether the figure shows a value of a column's kind. */
  shows(value: number, column: Measure): boolean {
    const sign = this.figure.sign === -1 ? -1 : 1
    return this.#factorsOf(column).some(factor => this.fits(value * factor * sign))
  }

  /** Whether a value of a column's kind is so near to the figure that an altered figure may have been meant to show it. */
  isNear(value: number, column: Measure): boolean {
    const { low, high } = this.#around
    return this.#factorsOf(column).some(factor => Math.abs(value * factor) >= low && Math.abs(value * factor) <= high)
  }

  /** Whether the figure shows any cell of a column. */
  isInColumn(column: NumberColumn): boolean {
    return this.#factorsOf(column).some(factor =>
      this.#shown.some(({ low, high }) => column.facts.hasWithin(low / factor, high / factor)),
    )
  }

  /** Whether the figure shows a value that is in the figure's own unit. */
  fits(value: number): boolean {
    this.#budget.take(1)
    if (this.#budget.isSpent) return false
    if (this.#near === undefined) return this.#isShown(value)
    if (value >= this.#around.low && value <= this.#around.high) this.#near.push(value)
    return false
  }

  /** Of a survey: whether the figure shows a candidate, and candidates cover no more than a part of what is nearby. */
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

  /** The part of the neighbourhood in which a figure of the same digits would show one of the values. */
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
