import { splitTokens } from '../guard/sql-tokens.ts'
import type { ColumnComputation } from '../schema.ts'

/** Stands for a column that is not known: private as soon as any is. None can be called so. */
export const ANY_COLUMN = '\0'

/**
 * Tells whether the operator marked a column.
 * @param parted whether it has parts with names of their own (JSON, a tuple, a map): it is private as a whole where a part of it was marked
 */
export type PrivateColumnTest = (database: string, table: string, column: string, parted: boolean) => boolean

/**
 * @param patterns `database.table.column`, `table.column` or `column` (in every table), with `*` for any run of characters within a
 *   part; case does not matter. A name marks the columns nested in it too. Where the dots can be read in more than one way (`a.b.c` may
 *   be column `b.c` of table `a`), each reading is marked: rather a column too many than one too few.
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
 * Marks the columns whose values are always computed from a private one, when they are read (ALIAS) or inserted (MATERIALIZED). A DEFAULT is no such
 * column: what stands in it was inserted as it is. A part of a nested column counts as the whole.
 * @param columns of one table
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

/** A column of a table, and those that its values are always computed from, through all of these. */
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

/** Whether an expression names a column. One that cannot be read might name any. */
function namesIn(expression: string): (column: string) => boolean {
  const names = splitTokens(expression)
    ?.filter(({ kind }) => kind === 'word' || kind === 'name')
    .map(({ value }) => firstPart(value))
  return column => names === undefined || names.includes(firstPart(column))
}

function firstPart(name: string): string {
  return name.split('.', 1)[0] ?? name
}

/** The columns that a pattern marks as a whole, and those whose parts it marks. */
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
