import type { Unit } from './units.ts'
import type { BEFORE } from './wording.ts'
import type { WrittenDate } from './written-dates.ts'

/** One meaning of a written number: "1,234" means 1234 in English and 1.234 in German. */
export interface Reading {
  readonly value: number
  /** The number as exact decimal text, without the multiplier. */
  readonly digits: string
  /** The value of one step of the last digit: 0.1 for "2.5". */
  readonly step: number
  /** The value of one step of the last digit that is not zero: 100 for "1,200". "About 1,200" is only as exact as this. */
  readonly looseStep: number
  readonly multiplier: number
}

/** A number or a point in time in a sentence, with the signs and words around it. */
export interface Figure {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly readings: readonly Reading[]
  readonly unit?: Unit
  readonly date?: WrittenDate
  readonly about?: keyof typeof BEFORE
  /** The sign that is written in front of the number, else 0. */
  readonly sign: 1 | -1 | 0
  /** `count` for a number word ("three"), `ratio` for a multiple or a part ("twice", "a quarter"). */
  readonly word?: 'count' | 'ratio'
  /** The figure is a rank: "3rd", "2." */
  readonly ordinal: boolean
}

export interface TextRange {
  readonly start: number
  readonly end: number
}
