import { isUnique } from '../joins/is-unique.ts'
import { ownKey } from '../joins/join-index.ts'
import type { TableSchema } from '../schema.ts'
import { readColumnType } from '../sql/column-type.ts'
import { mergesRows } from './engine-note.ts'

/** The columns that identify a row: no two scanned rows have the same values in all of them. */
export interface RowGrain {
  /** One column's name, or the text of the whole sorting key. */
  readonly columns: string
  /** True if all rows of the table were scanned. False if only a part was. */
  readonly exact: boolean
}

/**
 * Finds the columns that identify a table's rows, from its statistics. Candidates are the key column (or a column with the name
 * of a key) and the sorting key. Their values must differ in all scanned rows; otherwise the result is undefined. It is also
 * undefined if the engine merges rows later, because the note about the engine says so already.
 */
export function rowGrain(table: TableSchema): RowGrain | undefined {
  if (mergesRows(table.engine)) return undefined
  const key = ownKey(table)
  const statistics = key?.statistics
  if (key !== undefined && statistics !== undefined && statistics.nullShare === 0 && isUnique(table, [key.name])) {
    return { columns: key.name, exact: statistics.exact }
  }
  const { key: ofKey } = table
  if (ofKey === undefined || ofKey.rowsScanned < 2 || ofKey.distinct < ofKey.rowsScanned) return undefined
  // Two rows rarely have the same time, so different times in all scanned rows do not prove that time identifies a row.
  const isMoment = table.columns.some(({ name, type }) => name === table.sortingKey && readColumnType(type).kind === 'time')
  return isMoment ? undefined : { columns: table.sortingKey, exact: ofKey.exact }
}
