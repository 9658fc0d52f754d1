import { onOneLine, sqlLiteral } from '../clickhouse/catalog/plain-text.ts'
import type { MissingValue } from '../clickhouse/filters/filter-finding.ts'
import { isNamed } from './already-said.ts'
import { isEmptyResult } from './empty-result.ts'
import type { QueryReport } from './run-result.ts'

const VALUE_CHARACTERS = 100

/** A value that a query looks for and its column lacks, named as a person would. */
export interface MissingInColumn extends Pick<MissingValue, 'value' | 'near'> {
  readonly name: string
  readonly isSpare: boolean
  readonly column: string
}

/**
 * The texts that a query which ran filters on, and that no row has: its figures for them are zeros of nothing. Those of an earlier form of the query count
 * where this one found nothing either. An empty text is no name that could be misspelt; and what a writer of SQL looked for beside something that is there, without having been
 * asked for it, changes nothing.
 * @param asked the person's words
 */
export function missingValues(query: QueryReport, asked: string): readonly MissingInColumn[] {
  if (query.error !== null) return []
  const isEmpty = isEmptyResult(query)
  return lookedForInVain(query)
    .filter(({ value }) => isEmpty || query.sql?.includes(sqlLiteral(value)) === true)
    .filter(({ name, isSpare }) => isEmpty || !isSpare || isNamed(name.toLowerCase(), asked.toLowerCase()))
}

/** The same of all forms of a query that ran. */
export function lookedForInVain({ look_up: findings }: QueryReport): readonly MissingInColumn[] {
  const found = findings.flatMap(({ column, missing }) =>
    missing.map(({ value, name = value, near, has_alternative: isSpare = false }) => {
      return { value, name, near, isSpare, column: column.split('.').slice(2).join('.') }
    }),
  )
  return found.filter(({ name }) => name.trim() !== '')
}

/** A value or a name in back-ticks that it cannot close. */
export function codeSpan(text: string): string {
  return `\`${onOneLine(text, VALUE_CHARACTERS) || '?'}\``
}
