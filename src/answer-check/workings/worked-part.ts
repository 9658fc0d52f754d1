import type { CheckedQuery } from '../checked-query.ts'
import type { Condition } from './condition.ts'

/** A derivation of a figure, which stood behind it or in its place: `sum(devices, region = 'Europe')`. */
export interface Working {
  /** The offset of the figure's end, in the text without workings. */
  readonly at: number
  readonly expression: string
}

/** A part of a working, `sum(…)`, `value(…)` or `column[3]`, and the rows that it reads. */
export interface WorkedPart {
  readonly query: string
  /** The result of this query. */
  readonly source: CheckedQuery
  /** Undefined for `count`. */
  readonly column?: string
  readonly rows: readonly number[]
  /** The part is the value of single cells, and not an aggregate over rows. */
  readonly isCell: boolean
  /** The cells are moments, so that a difference is in seconds. */
  readonly isTime: boolean
  readonly about: readonly NamedRows[]
  /** The conditions of an aggregate, which all of its rows meet. */
  readonly conditions: readonly Condition[]
  /** The function of an aggregate, in small letters. Absent for cells. */
  readonly aggregate?: string
  /** The column of `count(x)` and `distinct(x)`. */
  readonly counted?: string
}

/** A name in a condition that selects rows: `city = 'Oslo'`. */
export interface NamedRows {
  readonly name: string
  /** The other names in the same column. */
  readonly others: readonly string[]
}

/** A working or a part of it, as its operators join it. Parentheses, `abs` and `round` are left out. */
export interface Operand {
  readonly value: number
  readonly parts: readonly WorkedPart[]
  /** The expression, without spaces. */
  readonly text: string
  /** Absent for a single cell, aggregate or number. */
  readonly join?: Join
}

/** The last operator of a working, and its two sides. */
export interface Join {
  readonly operator: '+' | '-' | '*' | '/'
  readonly one: Operand
  readonly other: Operand
}

/** Facts about a working's expression. */
export interface WorkingShape {
  /** The working is a single cell, aggregate or number. */
  readonly isLone: boolean
  /** The working divides. */
  readonly isRatio: boolean
  /** The working has an average or a median. */
  readonly isMean: boolean
  /** The numbers of the working, without those in conditions. */
  readonly constants: readonly number[]
}

/** A working's value, and how it is made of parts. The value of a cell with a day or a name is NaN. */
export interface Worked extends Operand {
  readonly shape: WorkingShape
  /** The parts, with the signs and numbers between them. */
  readonly terms: readonly (string | WorkedPart)[]
}
