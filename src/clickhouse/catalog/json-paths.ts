import { z } from 'zod'
import type { CatalogColumn, CatalogEntry } from '../../warehouse/catalog/entry.ts'
import { pathExpression } from '../../warehouse/catalog/shown-names.ts'
import { CATALOG_LIMITS } from '../../warehouse/limits.ts'
import type { JsonPath } from '../../warehouse/schema.ts'
import { isJson, readColumnType } from '../../warehouse/sql/column-type.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { ScanPlan } from './plan-scan.ts'
import { readStatistics, statisticsQuery } from './statistics-query.ts'

const pathsSchema = z.array(z.array(z.tuple([z.string(), z.string()]).rest(z.string())))

/** Returns the JSON columns of a table whose values may be scanned. Private and computed columns are left out. */
export function jsonColumns(entry: CatalogEntry): readonly CatalogColumn[] {
  return entry.columns.filter(
    ({ type, isPrivate, computed }) => isJson(type) && !isPrivate && computed?.kind !== 'ALIAS' && computed?.kind !== 'EPHEMERAL',
  )
}

/**
 * Finds the paths in JSON columns and the types of each path, in the scanned part of the table. A path gets statistics only if
 * all its values have the same type.
 * @throws WarehouseError
 */
export async function gatherJsonPaths(
  warehouse: Pick<Warehouse, 'read'>,
  entry: CatalogEntry,
  columns: readonly CatalogColumn[],
  plan: ScanPlan,
  signal: AbortSignal,
): Promise<{ readonly paths: Readonly<Record<string, readonly JsonPath[]>>; readonly bytesRead: number }> {
  if (columns.length === 0) return { paths: {}, bytesRead: 0 }
  const seen = await warehouse.read({ sql: pathsQuery(entry, columns, plan), timeoutMs: CATALOG_LIMITS.tableTimeoutMs }, signal)
  const rows = pathsSchema.parse(seen.rows[0] ?? [])
  const found = columns.map((column, index) => ({
    column,
    paths: (rows[index] ?? []).map(([path, ...types]) => ({ path, types })).filter(isNameable),
  }))
  const single = found
    .flatMap(({ column, paths }) => paths.flatMap(path => pathColumn(column, path)))
    .slice(0, CATALOG_LIMITS.columnsPerTable)
  if (single.length === 0) return { paths: pathsBy(found, () => undefined), bytesRead: seen.bytesRead }
  const sql = statisticsQuery(entry, single, plan, ({ name }) => `${name} AS ${quoteIdentifier(name)}`)
  const result = await warehouse.read({ sql, timeoutMs: CATALOG_LIMITS.tableTimeoutMs }, signal)
  const statistics = new Map(Object.entries(readStatistics(result, single, plan, new Map())?.columns ?? {}))
  return { paths: pathsBy(found, name => statistics.get(name)), bytesRead: seen.bytesRead + result.bytesRead }
}

function pathsBy(
  found: readonly { readonly column: CatalogColumn; readonly paths: readonly JsonPath[] }[],
  statisticsOf: (expression: string) => JsonPath['statistics'],
): Readonly<Record<string, readonly JsonPath[]>> {
  return Object.fromEntries(
    found.map(({ column, paths }) => [
      column.name,
      paths.map(path => {
        const statistics = statisticsOf(pathExpression(column, path, path.types[0] ?? ''))
        return { ...path, ...(statistics && path.types.length === 1 && { statistics }) }
      }),
    ]),
  )
}

function pathsQuery(entry: CatalogEntry, columns: readonly CatalogColumn[], plan: ScanPlan): string {
  const names = columns.map(column => quoteIdentifier(column.name))
  const expressions = names.map(name => {
    const paths = `distinctJSONPathsAndTypes(${name})`
    const each = 'clew_path, clew_types'
    return `arraySlice(arrayMap((${each}) -> arrayPushFront(clew_types, clew_path), mapKeys(${paths}), mapValues(${paths})), 1, ${CATALOG_LIMITS.jsonPaths})`
  })
  return `SELECT ${expressions.join(',\n')}\nFROM (SELECT ${names.join(', ')} FROM ${quoteTable(entry)} ${plan.clause})`
}

/** Whether SQL can name a JSON path. It cannot if the path is too long, or if one of its names is empty. */
function isNameable({ path }: JsonPath): boolean {
  return path.length <= CATALOG_LIMITS.pathCharacters && path.split('.').every(name => name !== '')
}

/**
 * Turns a JSON path into a column to scan. Returns an empty array if its values have several types, or a type without statistics.
 */
function pathColumn(column: CatalogColumn, path: JsonPath): readonly CatalogColumn[] {
  const [type = '', ...others] = path.types
  if (others.length > 0 || readColumnType(type).kind === 'opaque') return []
  return [{ name: pathExpression(column, path, type), type: `Nullable(${type})`, comment: '', bytes: 0, inPartitionKey: false }]
}
