import type { TableSchema } from '../schema.ts'
import { readColumnType } from './column-type.ts'
import { mergesRows } from './engine-note.ts'
import { isUnique } from './joins/is-unique.ts'
import { ownKey } from './joins/join-index.ts'

/** What there is one row for: columns that tell all rows apart, as far as rows were looked at. */
export interface RowGrain {
  /** One, or the sorting key. */
  readonly columns: string
  /** False where only a part of the table was looked at. */
  readonly exact: boolean
}

/**
 * Read from the statistics: the column that is the table's key or called so, else its sorting key, where no two rows scanned had the same. Undefined where
 * nothing is proven, and where the engine has yet to merge rows, which its note tells.
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
  // That no two rows have the same moment is chance.
  const isMoment = table.columns.some(({ name, type }) => name === table.sortingKey && readColumnType(type).kind === 'time')
  return isMoment ? undefined : { columns: table.sortingKey, exact: ofKey.exact }
}
