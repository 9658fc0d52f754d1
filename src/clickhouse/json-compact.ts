import { z } from 'zod'
import { failureInStream } from './server-failure.ts'
import type { Cell, ResultColumn } from './warehouse.ts'

/** What one JSONCompact document says. */
export interface CompactResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowsRead: number
  readonly bytesRead: number
}

const cellSchema: z.ZodType<Cell> = z.custom<Cell>()
const documentSchema = z.object({
  meta: z.array(z.object({ name: z.string(), type: z.string() })),
  data: z.array(z.array(cellSchema)),
  statistics: z.object({ rows_read: z.coerce.number(), bytes_read: z.coerce.number() }).optional(),
  exception: z.string().optional(),
})

/**
 * Reads a whole result. A document is complete or refused: nothing of a result that ended in an exception is returned.
 * @param tag the answer's `X-ClickHouse-Exception-Tag` (ClickHouse 25.11 and later), which marks an exception after the rows
 * @throws WarehouseError
 */
export function readCompactDocument(
  body: Buffer,
  options: { readonly tag: string | undefined; readonly queryId: string },
): CompactResult {
  const text = body.toString('utf8')
  const tagged = options.tag === undefined ? undefined : taggedException(text, options.tag)
  if (tagged !== undefined) throw failureInStream(tagged, options.queryId)
  if (text.trim() === '') return { columns: [], rows: [], rowsRead: 0, bytesRead: 0 }
  const document = documentSchema.safeParse(parseJson(text)).data
  // Servers before 25.11 write the exception's text wherever the result had got to, at its very end.
  if (document === undefined) throw failureInStream(text.slice(Math.max(0, text.lastIndexOf('Code: '))), options.queryId)
  if (document.exception !== undefined) throw failureInStream(document.exception, options.queryId)
  return {
    columns: document.meta,
    rows: withoutSignOfNaN(document),
    rowsRead: document.statistics?.rows_read ?? 0,
    bytesRead: document.statistics?.bytes_read ?? 0,
  }
}

/**
 * The complete rows of a document that the caller stopped reading. JSONCompact writes a row a line, and JSON strings hold no line breaks.
 * Undefined when not even the columns had arrived.
 */
export function readCutDocument(body: Buffer): CompactResult | undefined {
  const text = body.toString('utf8')
  const data = /"data":\s*\[/.exec(text)
  if (data === null) return undefined
  const start = data.index + data[0].length
  const complete = text.slice(start, text.lastIndexOf('\n')).split('\n')
  const rows = complete.map(line => line.trim().replace(/,$/, '')).filter(line => line.startsWith('['))
  const document = documentSchema.safeParse(parseJson(`${text.slice(0, start)}${rows.join(',')}]}`)).data
  return document && { columns: document.meta, rows: withoutSignOfNaN(document), rowsRead: 0, bytesRead: 0 }
}

/** 0 / 0 is `-nan` on x86 and `nan` elsewhere; for columns that hold nothing but numbers it becomes `nan`. */
function withoutSignOfNaN({ meta, data }: z.infer<typeof documentSchema>): readonly (readonly Cell[])[] {
  const floats = meta.map(({ type }) => /Float/.test(type) && !/String|Enum|Variant|Dynamic|JSON|Object/.test(type))
  if (!floats.includes(true)) return data
  return data.map(row => row.map((cell, index) => (floats[index] ? unsigned(cell) : cell)))
}

function unsigned(cell: Cell): Cell {
  if (cell === '-nan') return 'nan'
  if (typeof cell !== 'object' || cell === null) return cell
  if (Array.isArray(cell)) return cell.map(unsigned)
  return Object.fromEntries(Object.entries(cell).map(([key, value]) => [key, unsigned(value)]))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `\r\n__exception__\r\n<tag>\r\n<message>\n<length> <tag>\r\n__exception__\r\n`, the last thing in the body. */
function taggedException(text: string, tag: string): string | undefined {
  const marker = `\r\n__exception__\r\n${tag}\r\n`
  const start = text.lastIndexOf(marker)
  return start < 0 ? undefined : text.slice(start + marker.length).replace(/\d+ \S+\r\n__exception__\r\n$/, '')
}
