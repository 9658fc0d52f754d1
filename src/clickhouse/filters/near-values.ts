import { z } from 'zod'
import type { MissingValue } from '../../warehouse/filter-finding.ts'
import { nearNames } from '../../warehouse/near-names.ts'
import type { ColumnSchema, TableSchema } from '../../warehouse/schema.ts'
import { readColumnType } from '../../warehouse/sql/column-type.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier, quoteTable } from '../../warehouse/sql/quote-identifier.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { ColumnFilter, FilterOperator } from './read-filters.ts'
import { BoundValues } from './sql.ts'

/**
 * Finds values of a column that are similar to the wanted text. The engine returns the nearest ones, and those that differ too
 * much are dropped. If none is left and the column has only few values, `all` lists them.
 */
export async function nearValues(
  warehouse: Pick<Warehouse, 'read'>,
  {
    filter,
    table,
    column,
    wanted,
    timeoutMs,
  }: {
    readonly filter: ColumnFilter
    readonly table: TableSchema
    readonly column: ColumnSchema
    readonly wanted: string
    readonly timeoutMs: number
  },
  signal: AbortSignal,
): Promise<Pick<MissingValue, 'near' | 'all'>> {
  const plain = needle(wanted, filter.operator)
  if (plain === '') return { near: [], all: [] }
  const values = new BoundValues()
  const name = quoteIdentifier(column.name)
  const { kind } = readColumnType(column.type)
  const value = kind === 'map' ? `arrayJoin(mapKeys(${name}))` : kind === 'array' ? `arrayJoin(${name})` : name
  const isSmall =
    (column.statistics?.distinct ?? table.rows ?? Number.POSITIVE_INFINITY) <= SERVER_LIMITS.nearValues.comparedValues
  const parts = isSmall
    ? ''
    : `WHERE multiSearchAnyCaseInsensitiveUTF8(clew_value, ${values.bind('Array(String)', searchedParts(plain))})`
  const text = `leftUTF8(toValidUTF8(toString(${value})), ${SERVER_LIMITS.nearValues.shownCharacters + 1})`
  const lowered = values.bind('String', plain.toLowerCase())
  const sql = `SELECT clew_value FROM (
    SELECT DISTINCT ${text} AS clew_value FROM ${quoteTable(table)} ${parts} LIMIT ${SERVER_LIMITS.nearValues.sortedValues})
    ORDER BY least(
      editDistanceUTF8(leftUTF8(lowerUTF8(trimBoth(clew_value)), ${SERVER_LIMITS.nearValues.comparedCharacters}), ${lowered}) / greatest(lengthUTF8(clew_value), lengthUTF8(${lowered}), 1),
      if(position(lowerUTF8(clew_value), ${lowered}) > 0, 0.3, 1)), clew_value
    LIMIT ${SERVER_LIMITS.nearValues.candidates}`
  const { rows } = await warehouse.read({ sql, parameters: values.parameters, timeoutMs }, signal)
  const candidates = textsSchema.parse(rows).filter(candidate => candidate.trim() !== '')
  const near = nearNames(plain, candidates, SERVER_LIMITS.nearValues.shown)
  const isWhole = isSmall && candidates.length <= SERVER_LIMITS.nearValues.listedValues
  return { near: near.map(cutValue), all: near.length === 0 && isWhole ? candidates.map(cutValue) : [] }
}

/** Returns the beginning of a text without wildcards, which is compared with the column's values. */
function needle(text: string, operator: FilterOperator): string {
  return [...withoutWildcards(text, operator).replace(/\s+/g, ' ').trim()]
    .slice(0, SERVER_LIMITS.nearValues.comparedCharacters)
    .join('')
}

/** Removes the wildcards of a LIKE pattern: `%berlin%` becomes `berlin`. Other texts stay unchanged. */
export function withoutWildcards(text: string, operator: FilterOperator): string {
  if (operator !== 'like' && operator !== 'ilike') return text
  return text.replace(/\\(.)|[%_]/gs, (_, escaped?: string) => escaped ?? ' ').trim()
}

/**
 * Returns parts of a text that is perhaps misspelt: its beginning, its longest words, and the ends of these words. The intended
 * value probably contains one of them.
 */
function searchedParts(text: string): readonly string[] {
  const words = (text.match(/[\p{L}\p{N}]{3,}/gu) ?? []).sort((a, b) => b.length - a.length)
  return [...new Set([[...text].slice(0, 3).join(''), ...words.slice(0, 3), ...words.slice(0, 2).map(word => word.slice(-4))])]
}

export function cutValue(value: string): string {
  return cutCharacters(value, SERVER_LIMITS.nearValues.shownCharacters)
}

const textsSchema = z.array(z.tuple([z.string().nullable()]).transform(([text]) => text ?? ''))
