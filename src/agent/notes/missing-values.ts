import type { MissingValue } from '../../warehouse/filter-finding.ts'
import { onOneLine, sqlLiteral } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { isEmptyResult } from '../query/empty-result.ts'
import type { QueryReport } from '../run/result.ts'
import { mentionsValue } from './already-said.ts'

/** A value that a query filters on and its column lacks, in the person's words. */
export interface MissingInColumn extends Pick<MissingValue, 'value' | 'near'> {
  readonly name: string
  readonly isSpare: boolean
  readonly column: string
}

/**
 * The texts that a successful query filters on and no row has, so that their zeros mean nothing. Values from an earlier form
 * count if this form is empty too. Empty texts do not count, and neither do alternatives that the SQL writer added unasked.
 * @param asked the person's words
 */
export function missingValues(query: QueryReport, asked: string): readonly MissingInColumn[] {
  if (query.error !== null) return []
  const isEmpty = isEmptyResult(query)
  return lookedForInVain(query)
    .filter(({ value }) => isEmpty || query.sql?.includes(sqlLiteral(value)) === true)
    .filter(({ name, isSpare }) => isEmpty || !isSpare || mentionsValue(name.toLowerCase(), asked.toLowerCase()))
}

/** Covers all forms of a query that ran. */
export function lookedForInVain({ look_up: findings }: QueryReport): readonly MissingInColumn[] {
  const found = findings.flatMap(({ column, missing }) =>
    missing.map(({ value, name = value, near, has_alternative: isSpare = false }) => {
      return { value, name, near, isSpare, column: column.split('.').slice(2).join('.') }
    }),
  )
  return found.filter(({ name }) => name.trim() !== '')
}

/** A text in back-ticks that it cannot close. */
export function codeSpan(text: string): string {
  return `\`${onOneLine(text, AGENT_LIMITS.notes.valueCharacters) || '?'}\``
}
