import { type InputColumn, isDirect } from '../../warehouse/column-lineage.ts'
import { isUnique } from '../../warehouse/joins/is-unique.ts'
import { rowKey } from '../../warehouse/joins/joinable-table.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import type { QueryReport } from '../run/result.ts'
import { keyColumns } from './condition.ts'

/**
 * Finds the columns of a result that tell what a row is about, by their places: those that are no figures, except
 * - values gathered over rows, such as `max(at)` or one picked by `LIMIT 1 BY`, and times that read no table, such as `now()`;
 * - further columns of a table whose key the row has, such as the time at which a device was last seen, beside the device.
 * @param inputs the input columns of each column of the result
 * @returns undefined if nothing is left, or if the rest does not tell the rows apart. Then all that are no figures do
 */
export function findRowKey(
  { columns, rows }: Pick<QueryReport, 'columns' | 'rows'>,
  inputs: readonly (readonly InputColumn[])[],
  { tables }: Schema,
): readonly number[] | undefined {
  const of = (at: number) => inputs[at] ?? []
  const isTime = (at: number) => readColumnType(columns[at]?.type ?? '').kind === 'time'
  const plain = keyColumns(columns).filter(at => !isGathered(of(at)) && !(isTime(at) && of(at).length === 0))
  const isShown = (table: string, name: string) =>
    plain.some(at =>
      of(at).some(each => each.table === table && each.column === name && each.transformations.includes('IDENTITY')),
    )
  const keys = new Map(
    tables.flatMap(table => {
      const key = keyOf(table)
      return key.length > 0 && key.every(name => isShown(qualifiedName(table), name)) ? [[qualifiedName(table), key]] : []
    }),
  )
  const isFurther = (at: number) =>
    of(at).length > 0 && of(at).every(({ table, column }) => keys.get(table)?.includes(column) === false)
  const found = plain.filter(at => !isFurther(at))
  const toldApart = (by: readonly number[]) => new Set(rows.map(row => JSON.stringify(by.map(at => row[at])))).size
  return found.length === 0 || toldApart(found) < toldApart(keyColumns(columns)) ? undefined : found
}

function isGathered(inputs: readonly InputColumn[]): boolean {
  const direct = inputs.flatMap(({ transformations }) => transformations.filter(isDirect))
  return direct.length > 0 && direct.every(transformation => transformation === 'AGGREGATION')
}

/** Returns the columns of a table's key of which each value occurs once. Times alone are no key: they rarely repeat anyway. */
function keyOf(table: TableSchema): readonly string[] {
  const columns = rowKey(table, table.columns).columns ?? []
  const names = columns.map(({ name }) => name)
  return columns.some(({ type }) => readColumnType(type).kind !== 'time') && isUnique(table, names) === true ? names : []
}
