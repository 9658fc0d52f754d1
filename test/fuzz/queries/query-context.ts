import type { FuzzScope } from '../fuzz-world.ts'
import type { Random } from '../random.ts'
import type { Names } from './names.ts'

/** The types that the generator knows. It needs them to write valid expressions. */
export type ValueType = 'int' | 'text' | 'day' | 'float' | 'ints' | 'texts' | 'map' | 'pair' | 'bool'

export interface Column {
  /** The name of the column, in quotes if it needs them. */
  readonly name: string
  readonly type: ValueType
}

/** A table, CTE or subquery in FROM. */
export interface Relation {
  /** Texts that may precede a column of it: its alias or its name. */
  readonly qualifiers: readonly string[]
  readonly columns: readonly Column[]
  /** True for a stored table. Only a stored table allows PREWHERE, FINAL and SAMPLE. */
  readonly stored: boolean
}

export interface Cte {
  readonly name: string
  readonly columns: readonly Column[]
}

/** The names that are visible at one place in a query. */
export interface Place {
  /** The visible tables and subqueries. Those of inner queries come last. */
  readonly relations: readonly Relation[]
  readonly ctes: readonly Cte[]
  /** Visible aliases of values, and visible parameters of lambdas. */
  readonly values: readonly Column[]
  /** CTEs that are not visible here: the one that is being defined, and those that are defined later. */
  readonly later: readonly string[]
  /** How many more levels of queries and calls may be nested here. */
  readonly depth: number
}

export const NOWHERE: Place = { relations: [], ctes: [], values: [], later: [], depth: 4 }

/** Probabilities that decide how unusual a query is. */
export interface Mood {
  /** The probability, at each place, of a forbidden table, function or name. */
  readonly reach: number
  /** The probability, at each place, of SQL that is legal but rare. */
  readonly oddity: number
}

/** The state that all functions of the generator share. They also call each other through it. */
export interface QueryContext {
  readonly random: Random
  readonly names: Names
  readonly scope: FuzzScope
  readonly mood: Mood
  expression(type: ValueType, place: Place): string
  /** Writes a SELECT that returns the columns in `wanted`, without parentheses around it. */
  select(wanted: Wanted, place: Place): Written
}

/** The columns that a query must return: one of a certain type, those with certain names (with `exact`, no others), or any. */
export type Wanted =
  | { readonly one: ValueType }
  | { readonly many: number }
  | { readonly rows: readonly Column[]; readonly exact?: boolean }

export interface Written {
  readonly sql: string
  readonly columns: readonly Column[]
}

export function deeper(place: Place): Place {
  return { ...place, depth: place.depth - 1 }
}
