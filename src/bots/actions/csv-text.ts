import type { Cell } from '../../clickhouse/warehouse.ts'
import { eachInSlices } from '../../slices.ts'

interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Excel reads UTF-8 only after this; other programs pass over it. */
const BYTE_ORDER_MARK = '\ufeff'
const LINE_END = '\r\n'
/** Lines that are turned into bytes at once. */
const PIECE_CHARACTERS = 64 * 1024

/** Types whose values are numbers, also where they arrive as text because they have too many digits for a number of JSON. */
const NUMBER = /^(?:Nullable\(|LowCardinality\()*(?:U?Int\d+|Float\d+|BFloat16|Decimal)/
/** What a number may look like; anything else in such a column (nan, inf) is text. */
const NUMERAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** Most cells: nothing in them needs a second look. */
const PLAIN = /^[A-Za-z0-9](?:[\w.:/ -]*[\w.:/-])?$/
/** OWASP, "CSV Injection": what makes a spreadsheet read a cell as a formula, also behind what cannot be seen; some fold full-width forms into these. */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u
/** The same within a cell: a spreadsheet whose lists are separated by semicolons, as in many languages, cuts the file there, and at ends of lines. */
const FORMULA_WITHIN = /(?<=[;\r\n])(?=(?:(?![\r\n])[\s\p{C}])*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu

/**
 * A result as CSV (RFC 4180) that spreadsheets open as it is meant: numbers exactly as the warehouse wrote them, arrays and maps as JSON, NULL as an empty
 * cell. Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers below zero stay numbers. A line at a time, with the header first.
 */
export function* csvLines({ columns, rows }: Table): Generator<string, void> {
  yield `${BYTE_ORDER_MARK}${columns.map(({ name }) => field(withoutFormula(name))).join(',')}${LINE_END}`
  const isNumber = columns.map(({ type }) => NUMBER.test(type))
  for (const row of rows) yield row.map((cell, index) => cellText(cell, isNumber[index] ?? false)).join(',') + LINE_END
}

/** All of it, in UTF-8. */
export async function csvContent(table: Table): Promise<Buffer> {
  const pieces: Buffer[] = []
  let piece = ''
  const close = () => {
    pieces.push(Buffer.from(piece, 'utf8'))
    piece = ''
  }
  await eachInSlices(csvLines(table), line => {
    piece += line
    if (piece.length >= PIECE_CHARACTERS) close()
  })
  close()
  return Buffer.concat(pieces)
}

function cellText(cell: Cell, isNumber: boolean): string {
  if (cell === null) return ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  if (PLAIN.test(text)) return text
  return field((isNumber || typeof cell === 'number') && NUMERAL.test(text) ? text : withoutFormula(text))
}

function withoutFormula(text: string): string {
  const guarded = text.replace(FORMULA_WITHIN, "'")
  return FORMULA_START.test(guarded) ? `'${guarded}` : guarded
}

function field(text: string): string {
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
