import type { Cell } from '../../clickhouse/warehouse.ts'

interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Excel reads UTF-8 only after this; other programs pass over it. */
const BYTE_ORDER_MARK = '\ufeff'
const LINE_END = '\r\n'

/** Types whose values are numbers, also where they arrive as text because they have too many digits for a number of JSON. */
const NUMBER = /^(?:Nullable\(|LowCardinality\()*(?:U?Int\d+|Float\d+|BFloat16|Decimal)/
/** What a number may look like; anything else in such a column (nan, inf) is text. */
const NUMERAL = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** OWASP, "CSV Injection": what makes a spreadsheet read a cell as a formula, also behind what cannot be seen; some fold full-width forms into these. */
const FORMULA_START = /^(?:[\t\r\n]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u
/** The same within a cell: a spreadsheet whose lists are separated by semicolons, as in many languages, cuts the file there, and at ends of lines. */
const FORMULA_WITHIN = /(?<=[;\r\n])(?=(?:(?![\r\n])[\s\p{C}])*[=+\-@\uff1d\uff0b\uff0d\uff20])/gu

/**
 * A result as CSV (RFC 4180) that spreadsheets open as it is meant: numbers exactly as the warehouse wrote them, arrays and maps as JSON, NULL as an empty
 * cell. Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers below zero stay numbers.
 */
export function csvText({ columns, rows }: Table): string {
  const header = columns.map(({ name }) => field(withoutFormula(name)))
  const isNumber = columns.map(({ type }) => NUMBER.test(type))
  const lines = rows.map(row => row.map((cell, index) => field(cellText(cell, isNumber[index] ?? false))).join(','))
  return BYTE_ORDER_MARK + [header.join(','), ...lines].map(line => line + LINE_END).join('')
}

function cellText(cell: Cell, isNumber: boolean): string {
  if (cell === null) return ''
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
  return (isNumber || typeof cell === 'number') && NUMERAL.test(text) ? text : withoutFormula(text)
}

function withoutFormula(text: string): string {
  const guarded = text.replace(FORMULA_WITHIN, "'")
  return FORMULA_START.test(guarded) ? `'${guarded}` : guarded
}

function field(text: string): string {
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
