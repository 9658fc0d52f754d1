import type { FuzzScope } from '../fuzz-world.ts'
import type { Random } from '../random.ts'
import type { Names } from './names.ts'

/** The types that the generator must know to write valid expressions. */
export type ValueType = 'int' | 'text' | 'day' | 'float' | 'ints' | 'texts' | 'map' | 'pair' | 'bool'

export interface Column {
  /** The name, quoted if necessary. */
  readonly name: string
  readonly type: ValueType
}

/** An item of FROM. */
export interface Relation {
  /** Possible qualifiers of its columns: its alias or its name. */
  readonly qualifiers: readonly string[]
  readonly columns: readonly Column[]
  /** Whether this is a stored table. Only such a table allows PREWHERE, FINAL and SAMPLE. */
  readonly stored: boolean
}

export interface Cte {
  readonly name: string
  readonly columns: readonly Column[]
}

/** The visible names at one place of a query. */
export interface Place {
  /** The relations. Inner ones come last. Those of outer queries are included only where they are visible. */
  readonly relations: readonly Relation[]
  readonly ctes: readonly Cte[]
  /** Aliases of values, and lambda parameters. */
  readonly values: readonly Column[]
  /** CTEs that are not visible here: the one that is being defined, and later ones. */
  readonly later: readonly string[]
  /** The remaining depth of nested queries and calls. */
  readonly depth: number
}

export const NOWHERE: Place = { relations: [], ctes: [], values: [], later: [], depth: 4 }

/** How unusual one query is. */
export interface Mood {
  /** The probability of a forbidden table, function or name at each place. */
  readonly reach: number
  /** The probability of a construct that is legal but rare. */
  readonly oddity: number
}

/** The state that all writers share. Each calls the others through it. */
export interface QueryContext {
  readonly random: Random
  readonly names: Names
  readonly scope: FuzzScope
  readonly mood: Mood
  expression(type: ValueType, place: Place): string
  /** Writes a SELECT without parentheses that returns `wanted`. */
  select(wanted: Wanted, place: Place): Written
}

/** The result that a query must have: one column of a type, columns of these names (and no others if `exact`), or any columns. */
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
