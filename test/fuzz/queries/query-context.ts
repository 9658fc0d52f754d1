import type { FuzzScope } from '../fuzz-world.ts'
import type { Random } from '../random.ts'
import type { Names } from './names.ts'

/** What a value is, as far as the generator needs it to write expressions that the engine can type. */
export type ValueType = 'int' | 'text' | 'day' | 'float' | 'ints' | 'texts' | 'map' | 'pair' | 'bool'

export interface Column {
  /** As it is written: quoted if it must be. */
  readonly name: string
  readonly type: ValueType
}

/** Something in FROM. */
export interface Relation {
  /** What its columns may be qualified with: its alias, or its own name. */
  readonly qualifiers: readonly string[]
  readonly columns: readonly Column[]
  /** A table of the engine's own, which PREWHERE, FINAL and SAMPLE can stand behind. */
  readonly stored: boolean
}

export interface Cte {
  readonly name: string
  readonly columns: readonly Column[]
}

/** What can be named at one place of a query. */
export interface Place {
  /** Inner relations last; those of outer queries only where they may be seen. */
  readonly relations: readonly Relation[]
  readonly ctes: readonly Cte[]
  /** Aliases of values, and lambda parameters. */
  readonly values: readonly Column[]
  /** CTEs that are not seen here, or not yet: the one that is being defined, and those behind it. */
  readonly later: readonly string[]
  /** Left of nested queries and calls. */
  readonly depth: number
}

export const NOWHERE: Place = { relations: [], ctes: [], values: [], later: [], depth: 4 }

/** How wild one query is. */
export interface Mood {
  /** Chance, at each place where a table, a function or a name may stand, of one that is not allowed. */
  readonly reach: number
  /** Chance of a construct that is legal but seldom seen. */
  readonly oddity: number
}

/** What the writers share; each calls the others through it. */
export interface QueryContext {
  readonly random: Random
  readonly names: Names
  readonly scope: FuzzScope
  readonly mood: Mood
  expression(type: ValueType, place: Place): string
  /** A SELECT without parentheses that returns what is asked for. */
  select(wanted: Wanted, place: Place): Written
}

/** What a query must return: one column of a type; columns of these names, alone when `exact`; or as many as it likes. */
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
