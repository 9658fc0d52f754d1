import { z } from 'zod'
import { parseJson } from '../base/parse-json.ts'
import { CATALOG_ANSWER_LIMITS } from './limits.ts'
import type { Cell } from './warehouse.ts'

// Any JSON value is a cell. Checking each of a million would take longer than parsing them.
const rowsSchema = z.array(z.custom<readonly Cell[]>(Array.isArray))

/**
 * Parses rows that are one per line with a comma behind each, as JSONCompact and `rowLines` write them. It works in steps for `inSlices`.
 * @param start the start of the first row; `end` is the end of the last; white space around them is ignored
 * @returns undefined if these are not rows
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

/** Writes rows as a JSON array, one per line, in pieces of about a slice. */
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
