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

function readColumn({ head, formula }: WrittenColumn): TableFormula['columns'][number] {
  const read = readFormula(formula)
  if (head === '' || read.expression === '') throw new WorkingFault('a column of a table is not understood; write Name = column')
  return { head, ...read }
}

interface WrittenColumn {
  readonly head: string
  readonly formula: string
}

/**
 * Splits at the commas of formulas, outside parentheses, brackets and quotes. A comma in front of an equals sign belongs to a head,
 * and so does an equals sign in parentheses: `Paid (1 = yes)=C`.
 */
function columnsIn(text: string): WrittenColumn[] {
  const columns: WrittenColumn[] = []
  let [start, equals, depth, quote] = [0, -1, 0, '']
  const add = (end: number) => {
    const at = equals < 0 ? Math.max(start, text.indexOf('=', start)) : equals
    columns.push({ head: text.slice(start, at).trim(), formula: text.slice(at + 1, end) })
    ;[start, equals, depth] = [end + 1, -1, 0]
  }
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    const isFormula = equals >= 0
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (isFormula && (sign === "'" || sign === '"')) quote = sign
    else if (sign === '=' && depth <= 0 && !isFormula) equals = at
    else if (sign === '(' || (isFormula && sign === '[')) depth += 1
    else if (sign === ')' || (isFormula && sign === ']')) depth -= 1
    else if (sign === ',' && depth <= 0 && isFormula) add(at)
  }
  add(text.length)
  return columns
}
