import { z } from 'zod'
import type { Cell } from './warehouse.ts'

/** Rows of so many bytes are read or written at once: a few milliseconds. */
export const ROW_SLICE_BYTES = 128 * 1024

// What JSON holds is a cell, whatever it is: looking at each of a million would take longer than to parse them.
const rowsSchema = z.array(z.custom<readonly Cell[]>(Array.isArray))

/**
 * Parses rows that stand a row a line, a comma behind each: as JSONCompact has them, and `rowLines` writes them. Some at a time, for `inSlices`.
 * @param start where the first row begins, and `end` where the last one ends; white space around them does not matter
 * @returns undefined where they are no rows
 */
export function* parseRowLines(body: Buffer, start: number, end: number): Generator<void, (readonly Cell[])[] | undefined> {
  const rows: (readonly Cell[])[] = []
  for (let from = start; from < end; ) {
    const lineEnd = body.indexOf('\n', Math.min(from + ROW_SLICE_BYTES, end))
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

/** Rows as one JSON array, a row a line, in pieces of about a slice. */
export function* rowLines(rows: readonly (readonly Cell[])[]): Generator<string, void> {
  let piece = '[\n'
  for (const [index, row] of rows.entries()) {
    piece += `${JSON.stringify(row)}${index === rows.length - 1 ? '' : ','}\n`
    if (piece.length < ROW_SLICE_BYTES) continue
    yield piece
    piece = ''
  }
  yield `${piece}]`
}

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
