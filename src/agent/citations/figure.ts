import type { Unit } from './units.ts'
import type { BEFORE } from './wording.ts'
import type { WrittenDate } from './written-dates.ts'

/** What a written number may mean: "1,234" is 1234, or 1.234 in German wording. */
export interface Reading {
  readonly value: number
  /** The written number as exact decimal text, before its multiplier. */
  readonly digits: string
  /** What one unit of the last digit shown stands for. */
  readonly step: number
  /** The same for the last digit that is not a trailing zero of a whole number: what "about" leaves open. */
  readonly looseStep: number
  readonly multiplier: number
}

/** A figure in a sentence: a number with what stands around it, or a point in time. */
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
  /** A number word ("three") or a word of a multiple or part ("twice", "a quarter"). */
  readonly word?: 'count' | 'ratio'
  /** "3rd", "2.": a place in an order. */
  readonly ordinal: boolean
}

export interface Span {
  readonly start: number
  readonly end: number
}
