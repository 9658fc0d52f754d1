import { mergesRows } from '../catalog/engine-note.ts'
import { JOIN_LIMITS } from '../limits.ts'
import type { TableSchema } from '../schema.ts'
import { rowKey } from './joinable-table.ts'

/** ClickHouse's function `uniq` is exact up to this many distinct values. Above that, its error is at most two percent. */
const COUNTED_EXACTLY = 65_536

/**
 * Whether a value of these columns occurs in only one row of the table. This is certain for a primary key without a sorting
 * key, as a dictionary has it, and for an engine that keeps one row per key. Otherwise the statistics decide.
 * @returns undefined if the statistics do not tell
 */
export function isUnique(table: TableSchema, names: readonly string[]): boolean | undefined {
  const { columns: ofKey, isUnique: isUniqueKey } = rowKey(table, table.columns)
  const isKey = ofKey?.length === names.length && ofKey.every(({ name }) => names.includes(name))
  if (isKey && (isUniqueKey || mergesRows(table.engine))) return true
  if (isKey && table.key !== undefined) return isEachOnce(table.key.distinct, table.key.rowsScanned)
  const [only] = names
  const column = names.length === 1 ? table.columns.find(({ name }) => name === only) : undefined
  if (column?.statistics === undefined) return undefined
  const { distinct, rowsScanned, nullShare } = column.statistics
  const values = Math.round(rowsScanned * (1 - nullShare))
  return isEachOnce(distinct, values, values > COUNTED_EXACTLY ? JOIN_LIMITS.uniqueShare : 1)
}

function isEachOnce(distinct: number, values: number, least = 1): boolean | undefined {
  return values < 2 ? undefined : distinct >= values * least
}
