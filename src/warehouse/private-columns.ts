import type { ColumnComputation } from './schema.ts'
import { splitTokens } from './sql/sql-tokens.ts'
import { firstPart } from './table-names.ts'

/**
 * Stands for a column that could not be determined. It is private if the operator has marked any column as private. No real
 * column has this name.
 */
export const ANY_COLUMN = '\0'

/**
 * Whether a column is private, by the operator's patterns.
 * @param parted whether the column has named parts (JSON, a tuple, a map); if one part is private, the whole column is private
 */
export type PrivateColumnTest = (database: string, table: string, column: string, parted: boolean) => boolean

/**
 * Builds the test from the operator's patterns.
 * @param patterns `database.table.column`, `table.column` or `column` (in every table). `*` stands for any characters between two
 * dots. Case does not matter. A pattern also covers the columns nested in its column. If the dots are ambiguous, all meanings
 * apply, because too many private columns are safer than too few: `a.b.c` may also be column `b.c` of table `a`.
 */
export function privateColumnTest(patterns: readonly string[]): PrivateColumnTest {
  const expressions = patterns
    .map(pattern => pattern.trim())
    .filter(pattern => pattern !== '')
    .flatMap(readings)
  return (database, table, column, parted) => {
    if (column === ANY_COLUMN) return expressions.length > 0
    const name = [database, table, column].join('\0')
    return expressions.some(({ whole, parts }) => whole.test(name) || (parted && parts.some(part => part.test(name))))
  }
}

/**
 * Marks columns as private if their values are always computed from a private column: on reading (ALIAS) or on inserting
 * (MATERIALIZED). A column with a DEFAULT is not marked, because inserted values may replace the default. A part of a nested
 * column is treated like the whole column.
 * @param columns the columns of one table
 */
export function markDerived<Column extends Derivable>(columns: Column[]): Column[] {
  const marked = columns.map(column => (isDerived(column, columns) ? { ...column, isPrivate: true } : column))
  const isMarked = marked.some((column, index) => column !== columns[index])
  return isMarked ? markDerived(marked) : columns
}

interface Derivable {
  readonly name: string
  readonly isPrivate?: boolean
  readonly computed?: ColumnComputation
}

function isDerived({ isPrivate, computed }: Derivable, columns: readonly Derivable[]): boolean {
  if (isPrivate || (computed?.kind !== 'ALIAS' && computed?.kind !== 'MATERIALIZED')) return false
  const isNamed = namesIn(computed.expression)
  return columns.some(column => column.isPrivate && isNamed(column.name))
}

/** Returns a column, and all columns from which its value is computed, directly or indirectly. */
export function computedFrom(
  column: string,
  columns: readonly { readonly name: string; readonly kind: string; readonly expression: string }[],
): readonly string[] {
  const found = new Set([column])
  for (const name of found) {
    const computed = columns.find(each => each.name === name)
    if (computed?.kind !== 'ALIAS' && computed?.kind !== 'MATERIALIZED') continue
    for (const other of columns.map(each => each.name).filter(namesIn(computed.expression))) found.add(other)
  }
  return [...found]
}

/**
 * Returns a function that tells whether an expression contains a column's name. If the expression cannot be parsed, the function
 * returns true for every name, so that no private column is missed.
 */
function namesIn(expression: string): (column: string) => boolean {
  const names = splitTokens(expression)
    ?.filter(({ kind }) => kind === 'word' || kind === 'name')
    .map(({ value }) => firstPart(value))
  return column => names === undefined || names.includes(firstPart(column))
}

/**
 * One possible meaning of a pattern. `whole` matches columns that are private as a whole. `parts` matches columns of which a part
 * is private.
 */
interface Reading {
  readonly whole: RegExp
  readonly parts: readonly RegExp[]
}

function readings(pattern: string): readonly Reading[] {
  const parts = pattern.split('.').map(partExpression)
  const any = partExpression('*')
  return [0, 1, 2]
    .filter(leading => leading < parts.length)
    .map(leading => {
      const [database, table] = leading === 2 ? parts : [any, leading === 1 ? parts[0] : any]
      const column = parts.slice(leading)
      const expression = (names: readonly string[], end: string) =>
        new RegExp(`^${database}\\0${table}\\0${names.join('\\.')}${end}`, 'is')
      return {
        whole: expression(column, '(\\..*)?$'),
        parts: column.slice(1).map((_, index) => expression(column.slice(0, index + 1), '$')),
      }
    })
}

function partExpression(part: string): string {
  return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^\\0]*')
}
