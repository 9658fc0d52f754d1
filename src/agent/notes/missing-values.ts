import type { MissingValue } from '../../warehouse/filter-finding.ts'
import { onOneLine, sqlLiteral } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { isEmptyResult } from '../query/empty-result.ts'
import type { QueryReport } from '../run/result.ts'
import { mentionsValue } from './already-said.ts'

/** A value on which the query filters, and which the column does not contain. `name` is the value in the person's words. */
export interface MissingInColumn extends Pick<MissingValue, 'value' | 'near'> {
  readonly name: string
  readonly isSpare: boolean
  readonly column: string
}

/**
 * Returns the texts on which a successful query filters, but which no row contains, such as 'Berln' in `city = 'Berln'`. The
 * person must learn of them, because "0 orders" alone would mislead. If the result is empty, also returns such texts of earlier
 * attempts. If it is not empty, leaves out alternative spellings that only the model has added. Empty texts are left out.
 * @param asked the person's words
 */
export function missingValues(query: QueryReport, asked: string): readonly MissingInColumn[] {
  if (query.error !== null) return []
  const isEmpty = isEmptyResult(query)
  return lookedForInVain(query)
    .filter(({ value }) => isEmpty || query.sql?.includes(sqlLiteral(value)) === true)
    .filter(({ name, isSpare }) => isEmpty || !isSpare || mentionsValue(name.toLowerCase(), asked.toLowerCase()))
}

/** Returns the missing values that were found for any attempt at a query. */
export function lookedForInVain({ look_up: findings }: QueryReport): readonly MissingInColumn[] {
  const found = findings.flatMap(({ column, missing }) =>
    missing.map(({ value, name = value, near, has_alternative: isSpare = false }) => {
      return { value, name, near, isSpare, column: column.split('.').slice(2).join('.') }
    }),
  )
  return found.filter(({ name }) => name.trim() !== '')
}

/** Writes a text as inline code. Back-ticks in the text cannot end the code. */
export function codeSpan(text: string): string {
  return `\`${onOneLine(text, AGENT_LIMITS.notes.valueCharacters) || '?'}\``
}
