import type { RecordedQuery } from './run-record.ts'

export function hasRows({ error, row_count: rows }: Pick<RecordedQuery, 'error' | 'row_count'>): boolean {
  return error === null && rows > 0
}
