import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import { CATALOG_ANSWER_LIMITS } from './limits.ts'
import type { Cell } from './warehouse.ts'

// Only the rows are checked. Checking a million cells would take longer than parsing them, and a cell may contain any JSON value.
const rowsSchema = z.array(z.custom<readonly Cell[]>(Array.isArray))

/**
 * Parses rows in steps, for `inSlices`. Each row is one line that ends with a comma, as in JSONCompact and as `rowLines` writes
 * it.
 * @param start the offset of the first row
 * @param end the offset after the last row; white space at both ends is ignored
 * @returns undefined if the bytes do not have this form
 */
export function* parseRowLines(body: Buffer, start: number, end: number): Generator<void, (readonly Cell[])[] | undefined> {
  const rows: (readonly Cell[])[] = []
  for (let from = start; from < end; ) {
    const lineEnd = body.indexOf('\n', Math.min(from + CATALOG_ANSWER_LIMITS.rowSliceBytes, end))
    const to = lineEnd < 0 ? end : Math.min(lineEnd, end)
    const text = body.toString('utf8', from, to).trim().replace(/,$/, '')
    const parsed = rowsSchema.safeParse(parseJson(`[${text}]`)).data
    if (parsed === undefined) return undefined
    for (const row of parsed) rows.push(row)
    from = to + 1
    yield
  }
  return rows
}

/**
 * Writes rows as a JSON array with one row per line. Yields the text in pieces, so that the caller can let other work run in
 * between.
 */
export function* rowLines(rows: readonly (readonly Cell[])[]): Generator<string, void> {
  let piece = '[\n'
  for (const [index, row] of rows.entries()) {
    piece += `${JSON.stringify(row)}${index === rows.length - 1 ? '' : ','}\n`
    if (piece.length < CATALOG_ANSWER_LIMITS.rowSliceBytes) continue
    yield piece
    piece = ''
  }
  yield `${piece}]`
}
