import type { RecordedQuery } from '../run-record.ts'

/** Whether the query has rows to download. */
export function hasRows({ error, row_count: rows }: Pick<RecordedQuery, 'error' | 'row_count'>): boolean {
  return error === null && rows > 0
}
