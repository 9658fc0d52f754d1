import { splitTokens } from '../guard/sql-tokens.ts'
import type { ColumnComputation } from '../schema.ts'

/** Tells whether the operator marked a column. */
export type PrivateColumnTest = (database: string, table: string, column: string) => boolean

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
  return (database, table, column) => {
    const name = [database, table, column].join('\0')
    return expressions.some(expression => expression.test(name))
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
  const names = splitTokens(computed.expression)
    ?.filter(({ kind }) => kind === 'word' || kind === 'name')
    .map(({ value }) => firstPart(value))
  // An expression that cannot be read might name anything.
  return columns.some(column => column.isPrivate && (names === undefined || names.includes(firstPart(column.name))))
}

function firstPart(name: string): string {
  return name.split('.', 1)[0] ?? name
}

function readings(pattern: string): readonly RegExp[] {
  const parts = pattern.split('.').map(partExpression)
  const any = partExpression('*')
  return [0, 1, 2]
    .filter(leading => leading < parts.length)
    .map(leading => {
      const [database, table] = leading === 2 ? parts : [any, leading === 1 ? parts[0] : any]
      return new RegExp(`^${database}\\0${table}\\0${parts.slice(leading).join('\\.')}(\\..*)?$`, 'is')
    })
}

function partExpression(part: string): string {
  return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^\\0]*')
}
