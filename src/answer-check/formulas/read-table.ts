import { CHECK_LIMITS } from '../limits.ts'
import { WorkingFault } from '../workings/fault.ts'
import { type Formula, readFormula } from './formula.ts'

/** A table of an answer: `{table Q1 1-10: Device = device, Loss (%) = loss_pct}`. */
export interface TableFormula {
  /** The query whose rows it shows. Undefined if it names none. */
  readonly query: string | undefined
  /** The ranges of its rows, which begin with 1. Empty for all rows. */
  readonly rows: readonly { readonly from: number; readonly to: number }[]
  readonly columns: readonly (Formula & { readonly head: string })[]
}

const HEAD = /^table(?:\s([QE]\d{1,3}))?(?:\s(all|[\d\s,–-]{1,200}))?\s?:/

/** Whether the text between braces is a table. */
export function isTable(inner: string): boolean {
  return /^table\b/.test(inner)
}

/** Reads the text between the braces of a table. @throws WorkingFault if it is not understood */
export function readTable(inner: string): TableFormula {
  const match = HEAD.exec(inner)
  if (match === null) throw new WorkingFault('a table begins like {table Q1 1-10: Name = column, …}')
  const [whole, query, rows = 'all'] = match
  const columns = columnsIn(inner.slice(whole.length)).map(readColumn)
  if (columns.length > CHECK_LIMITS.formulas.tableColumns)
    throw new WorkingFault(`a table has at most ${CHECK_LIMITS.formulas.tableColumns} columns`)
  return { query, rows: rows === 'all' ? [] : rows.split(',').map(readRange), columns }
}

function readRange(text: string): { from: number; to: number } {
  const [, from, to = from] = /^(\d{1,6})(?:\s?[–-]\s?(\d{1,6}))?$/.exec(text.trim()) ?? []
  if (from === undefined || Number(from) < 1 || Number(to) < Number(from))
    throw new WorkingFault('the rows of a table are not understood; write 1-10')
  return { from: Number(from), to: Number(to) }
}

function readColumn(written: string): TableFormula['columns'][number] {
  const [, head = '', formula = ''] = COLUMN.exec(written) ?? []
  const read = readFormula(formula)
  if (head.trim() === '' || read.expression === '')
    throw new WorkingFault('a column of a table is not understood; write Name = column')
  return { head: head.trim(), ...read }
}

/** Matches a column. An equals sign in parentheses belongs to its head: `Paid (1 = yes)=C`. */
const COLUMN = /^((?:[^=()]|\([^()]*\))*)=(.*)$/s

/** Splits at the commas of formulas, outside parentheses, brackets and quotes. A comma in front of an equals sign belongs to a head. */
function columnsIn(text: string): string[] {
  const columns: string[] = []
  let open = ''
  for (const piece of text.split(',')) {
    open += piece
    const [, , formula] = COLUMN.exec(open) ?? []
    const plain = formula?.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '')
    const isOpen = plain === undefined || /['"]/.test(plain) || plain.match(/[([]/g)?.length !== plain.match(/[)\]]/g)?.length
    if (!isOpen) columns.push(open)
    open = isOpen ? `${open},` : ''
  }
  return open === '' ? columns : [...columns, open.slice(0, -1)]
}
