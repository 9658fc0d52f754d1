import type { QueryReport, RunResult } from '../run/result.ts'

/**
 * Whether the answer contains a table with all rows of a query, or with at least `most` of them. A table belongs to the queries
 * that are cited in its cells or on the next line. If there is only one query, every table belongs to it.
 */
export function isTabled(
  { id, rows }: Pick<QueryReport, 'id' | 'rows'>,
  { answer, queries }: Pick<RunResult, 'answer' | 'queries'>,
  most: number,
): boolean {
  const lines = answer.split('\n').filter(line => line.trim() !== '')
  const starts = lines.flatMap((line, at) => (isRow(line) && !isRow(lines[at - 1]) ? [at] : []))
  return starts.some(start => {
    const length = lines.slice(start).findIndex(line => !isRow(line))
    const end = length < 0 ? lines.length : start + length
    const own = lines.slice(start, end + 1).join('\n')
    const isOfQuery = queries.length === 1 || new RegExp(`[[,]\\s?${id}[\\],]`).test(own)
    // The table's header and the line below it are not rows.
    return isOfQuery && end - start - 2 >= Math.min(rows.length, most)
  })
}

function isRow(line: string | undefined): boolean {
  return line?.trimStart().startsWith('|') === true
}
