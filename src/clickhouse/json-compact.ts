import { z } from 'zod'
import { eachInSlices, inSlices } from '../base/slices.ts'
import { parseJson } from '../base/text/parse-json.ts'
import { CATALOG_ANSWER_LIMITS } from '../warehouse/limits.ts'
import { parseRowLines } from '../warehouse/row-lines.ts'
import type { Cell, ResultColumn } from '../warehouse/warehouse.ts'
import { failureInStream } from './server-failure.ts'

/** The columns and rows of a document in the format JSONCompact. */
export interface CompactResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowsRead: number
  readonly bytesRead: number
}

const documentSchema = z.object({
  meta: z.array(z.object({ name: z.string(), type: z.string() })),
  data: z.array(z.custom<readonly Cell[]>(Array.isArray)),
  statistics: z.object({ rows_read: z.coerce.number(), bytes_read: z.coerce.number() }).optional(),
  exception: z.string().optional(),
})

/**
 * Reads a whole result, in slices if it is large. Refuses a document that is incomplete or contains an exception.
 * @param tag the answer's header `X-ClickHouse-Exception-Tag` (ClickHouse 25.11 and later), by which an exception after the rows
 * is recognized
 * @throws WarehouseError
 */
export async function readCompactDocument(
  body: Buffer,
  { tag, queryId }: { readonly tag: string | undefined; readonly queryId: string },
): Promise<CompactResult> {
  const tagged = tag === undefined ? undefined : taggedException(body, tag)
  if (tagged !== undefined) throw failureInStream(tagged, queryId)
  const document = (body.length > CATALOG_ANSWER_LIMITS.rowSliceBytes ? await readInSlices(body) : undefined) ?? readAtOnce(body)
  if (document === undefined) return { columns: [], rows: [], rowsRead: 0, bytesRead: 0 }
  // A server before version 25.11 simply writes the exception's text where the result breaks off.
  if (document === 'broken') throw failureInStream(body.toString('utf8', Math.max(0, body.lastIndexOf('Code: '))), queryId)
  if (document.exception !== undefined) throw failureInStream(document.exception, queryId)
  return {
    columns: document.meta,
    rows: document.data,
    rowsRead: document.statistics?.rows_read ?? 0,
    bytesRead: document.statistics?.bytes_read ?? 0,
  }
}

/**
 * Returns the complete rows of a document that was cut. The last line end marks them: each row is one line, and JSON strings
 * contain no line breaks. Returns undefined if even the columns are incomplete.
 */
export async function readCutDocument(body: Buffer): Promise<CompactResult | undefined> {
  const place = placeOfRows(body)
  if (place === undefined) return undefined
  const end = place.end < 0 ? body.lastIndexOf('\n') : place.end
  const document = await readParts(body, { ...place, end }, ']}')
  return document && { columns: document.meta, rows: document.data, rowsRead: 0, bytesRead: 0 }
}

type Document = z.infer<typeof documentSchema>

/** Parses a whole document in one step. Returns undefined for an empty body. */
function readAtOnce(body: Buffer): Document | 'broken' | undefined {
  const text = body.toString('utf8')
  if (text.trim() === '') return undefined
  const document = documentSchema.safeParse(parseJson(text)).data
  return document === undefined ? 'broken' : { ...document, data: document.data.map(withoutSignOfNaN(document.meta)) }
}

/** Parses a large document in slices. Returns undefined if it is incomplete, or has several rows on one line. */
async function readInSlices(body: Buffer): Promise<Document | undefined> {
  const place = placeOfRows(body)
  return place === undefined || place.end < 0 ? undefined : readParts(body, place, body.toString('utf8', place.end))
}

interface PlaceOfRows {
  readonly start: number
  /** The offset at which the rows end. Negative if the document breaks off before that. */
  readonly end: number
}

function placeOfRows(body: Buffer): PlaceOfRows | undefined {
  // A column's name cannot contain this text, because JSON escapes quotes inside a name.
  const data = body.indexOf('"data":')
  const start = data < 0 ? -1 : body.indexOf('[', data)
  return start < 0 ? undefined : { start: start + 1, end: body.indexOf('\n\t]', start) }
}

async function readParts(body: Buffer, { start, end }: PlaceOfRows, rest: string): Promise<Document | undefined> {
  const frame = documentSchema.safeParse(parseJson(body.toString('utf8', 0, start) + rest)).data
  if (frame === undefined) return undefined
  const data = await inSlices(parseRowLines(body, start, end))
  if (data === undefined) return undefined
  const withoutSign = withoutSignOfNaN(frame.meta)
  await eachInSlices(data.keys(), index => {
    data[index] = withoutSign(data[index] ?? [])
  })
  return { ...frame, data }
}

/**
 * Replaces `-nan` with `nan` in numeric columns. For 0 / 0, a server returns `-nan` on x86 and `nan` elsewhere, and results must
 * not differ.
 */
function withoutSignOfNaN(columns: readonly ResultColumn[]): (row: readonly Cell[]) => readonly Cell[] {
  const floats = columns.flatMap(({ type }, index) =>
    /Float/.test(type) && !/String|Enum|Variant|Dynamic|JSON|Object/.test(type) ? [index] : [],
  )
  const maySay = (cell: Cell | undefined) => cell === '-nan' || (typeof cell === 'object' && cell !== null)
  return row => {
    if (!floats.some(index => maySay(row[index]))) return row
    return row.map((cell, index) => (floats.includes(index) ? unsigned(cell) : cell))
  }
}

function unsigned(cell: Cell): Cell {
  if (cell === '-nan') return 'nan'
  if (typeof cell !== 'object' || cell === null) return cell
  if (Array.isArray(cell)) return cell.map(unsigned)
  return Object.fromEntries(Object.entries(cell).map(([key, value]) => [key, unsigned(value)]))
}

/**
 * Returns the message of an exception at the end of a body. The form is `\r\n__exception__\r\n<tag>\r\n<message>\n<length>
 * <tag>\r\n__exception__\r\n`.
 */
function taggedException(body: Buffer, tag: string): string | undefined {
  const marker = `\r\n__exception__\r\n${tag}\r\n`
  const start = body.lastIndexOf(marker)
  if (start < 0) return undefined
  return body.toString('utf8', start + marker.length).replace(/(?<!\d)\d+ \S+\r\n__exception__\r\n$/, '')
}
