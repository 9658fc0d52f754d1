import { onOneLine, sqlLiteral } from '../clickhouse/catalog/plain-text.ts'
import type { MissingValue } from '../clickhouse/filters/filter-finding.ts'
import { isEmptyResult } from './empty-result.ts'
import type { QueryReport } from './run-result.ts'

const VALUE_CHARACTERS = 100

/** A text that a query filters on and that occurs nowhere in the column, `database.table.column`. */
export interface MissingInColumn extends Pick<MissingValue, 'value' | 'near'> {
  readonly column: string
}

/**
 * The texts that a query which ran filters on, and that no row has: its figures for them are zeros of nothing. Those of an earlier form of the query count
 * where this one found nothing either. An empty text is no name that could be misspelt.
 */
export function missingValues(query: QueryReport): readonly MissingInColumn[] {
  if (query.error !== null) return []
  const isEmpty = isEmptyResult(query)
  return query.look_up.flatMap(({ column, missing }) =>
    missing
      .filter(({ value }) => value.trim() !== '' && (isEmpty || query.sql?.includes(sqlLiteral(value)) === true))
      .map(({ value, near }) => ({ column, value, near })),
  )
}

/** A value or a name in back-ticks that it cannot close. */
export function codeSpan(text: string): string {
  return `\`${onOneLine(text, VALUE_CHARACTERS) || '?'}\``
}
