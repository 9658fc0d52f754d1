import type { QueryReport, RunResult } from '../run/result.ts'

/**
 * Whether the answer itself has a table of a query's rows: all of them, or at least so many. A table belongs to the queries that it cites, in a cell or on the next
 * line, and to the only query that there is.
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
    // A head, and the line below it.
    return isOfQuery && end - start - 2 >= Math.min(rows.length, most)
  })
}

function isRow(line: string | undefined): boolean {
  return line?.trimStart().startsWith('|') === true
}
