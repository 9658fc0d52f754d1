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
  const columns = splitAtCommas(inner.slice(whole.length)).map(readColumn)
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

function readColumn(text: string): TableFormula['columns'][number] {
  const at = endOfHead(text)
  const head = text.slice(0, Math.max(0, at)).trim()
  const formula = readFormula(text.slice(at + 1))
  if (head === '' || formula.expression === '')
    throw new WorkingFault('a column of a table is not understood; write Name = column')
  return { head, ...formula }
}

/** Finds the equals sign behind a head. In `Paid (1 = yes)=C` it is the second one, because the first stands in parentheses. */
function endOfHead(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (text[at] === '=' && depth <= 0) return at
  }
  return text.indexOf('=')
}

/** Splits at the commas of formulas, outside parentheses, brackets and quotes. A comma in front of an equals sign belongs to a head. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let [start, depth, quote, isFormula] = [0, 0, '', false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (quote !== '') {
      if (sign === '\\') at += 1
      else if (sign === quote) quote = ''
    } else if (isFormula && (sign === "'" || sign === '"')) quote = sign
    else if (sign === '=' && depth <= 0) isFormula = true
    else if (sign === '(' || (isFormula && sign === '[')) depth += 1
    else if (sign === ')' || (isFormula && sign === ']')) depth -= 1
    else if (sign === ',' && depth <= 0 && isFormula) {
      parts.push(text.slice(start, at))
      start = at + 1
      depth = 0
      isFormula = false
    }
  }
  return [...parts, text.slice(start)]
}
