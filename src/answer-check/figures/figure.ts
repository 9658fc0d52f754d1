import type { Unit } from './units.ts'
import type { BEFORE } from './wording.ts'
import type { WrittenDate } from './written-dates.ts'

/** One meaning of a written number: "1,234" is 1234, or 1.234 in German. */
export interface Reading {
  readonly value: number
  /** The number as exact decimal text, without its multiplier. */
  readonly digits: string
  /** The value of one unit of the last digit. */
  readonly step: number
  /** The value of one unit of the last non-zero digit of a whole number. "About" leaves this much open. */
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
  /** An explicit sign in front. */
  readonly sign: 1 | -1 | 0
  /** A number word ("three"), or a multiple or part ("twice", "a quarter"). */
  readonly word?: 'count' | 'ratio'
  /** A rank: "3rd", "2." */
  readonly ordinal: boolean
}

export interface TextRange {
  readonly start: number
  readonly end: number
}
