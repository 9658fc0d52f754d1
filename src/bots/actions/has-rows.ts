import type { RecordedQuery } from '../run-record.ts'

/** Whether there is something of this query to download. */
export function hasRows({ error, row_count: rows }: Pick<RecordedQuery, 'error' | 'row_count'>): boolean {
  return error === null && rows > 0
}
