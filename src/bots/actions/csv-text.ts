import { eachInSlices } from '../../base/slices.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { SHARED_LIMITS } from '../shared/limits.ts'

interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The byte order mark at the start of the file. Without it, Excel does not recognise UTF-8. Other programs ignore it. */
const BYTE_ORDER_MARK = '\ufeff'
const LINE_END = '\r\n'

/**
 * Matches ClickHouse types with numeric values. The type decides, because values with more digits than a JSON number can hold
 * arrive as text.
 */
const NUMBER = /^(?:Nullable\(|LowCardinality\()*(?:U?Int\d+|Float\d+|BFloat16|Decimal)/
/** Matches a number as digits. A numeric column may also hold `nan` and `inf`, which are written as text. */
const NUMERAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/**
 * Matches most cells that need no quotes and no apostrophe, such as `Berlin 2024`. Such cells skip the slower tests for formulas.
 */
const PLAIN = /^[A-Za-z0-9](?:[\w.:/ -]*[\w.:/-])?$/
/**
 * Matches the start of a cell that a spreadsheet would run as a formula, such as `=1+1` (OWASP, "CSV Injection"). Invisible
 * characters may come first. Some programs also accept the full-width forms of these signs.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u
/**
 * Matches places within a cell where a formula could start. In many countries, spreadsheets split a CSV file at semicolons and
 * line ends. So text that follows one of these becomes a cell of its own, and may run as a formula.
 */
const FORMULA_WITHIN = /(?<=[;\r\n])(?=(?:(?![\r\n])[\s\p{C}])*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu

/**
 * Yields a result as CSV (RFC 4180) for spreadsheets, line by line, with the header first. Numbers stay exact, arrays and maps
 * become JSON, and NULL is an empty cell. A text that would run as a formula gets an apostrophe before it, but a negative number
 * does not.
 */
export function* csvLines({ columns, rows }: Table): Generator<string, void> {
  yield `${BYTE_ORDER_MARK}${columns.map(({ name }) => field(withoutFormula(name))).join(',')}${LINE_END}`
  const isNumber = columns.map(({ type }) => NUMBER.test(type))
  for (const row of rows) yield row.map((cell, index) => cellText(cell, isNumber[index] ?? false)).join(',') + LINE_END
}

/** Returns the whole CSV file in UTF-8. */
export async function csvContent(table: Table): Promise<Buffer> {
  const pieces: Buffer[] = []
  let piece = ''
  const close = () => {
    pieces.push(Buffer.from(piece, 'utf8'))
    piece = ''
  }
  await eachInSlices(csvLines(table), line => {
    piece += line
    if (piece.length >= SHARED_LIMITS.csvPieceCharacters) close()
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
