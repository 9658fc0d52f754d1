import type { Cell } from '../warehouse/warehouse.ts'
import { EVAL_LIMITS } from './limits.ts'

export interface ComparedResult {
  readonly columns: readonly { readonly name: string }[]
  readonly rows: readonly (readonly Cell[])[]
}

/** The way in which a result differs from the expected one, such as `missing_rows`. */
export type ResultMiss = 'empty' | 'missing_rows' | 'extra_rows' | 'wrong_column' | 'wrong_rows'

export type Comparison =
  | { readonly isEqual: true; readonly extraColumns: readonly string[] }
  | { readonly isEqual: false; readonly miss: ResultMiss; readonly detail: string }

type Value = string | number | null

/**
 * Compares a result with the expected (gold) rows.
 * - The order of rows matters only if `ordered` is true.
 * - Columns match by their values, so their names and order do not matter. Extra columns are allowed and are listed.
 * - Numbers compare by value. If one has a fraction, a relative difference of 1e-4 is allowed.
 * - Midnight equals its day: `2026-03-01 00:00:00` equals `2026-03-01`.
 * - A text such as "(none)" equals an empty text.
 */
export function compareResults(result: ComparedResult, gold: ComparedResult, ordered: boolean): Comparison {
  const own = columnsOf(result)
  const wanted = columnsOf(gold)
  const rows = result.rows.length
  const goldRows = gold.rows.length
  if (rows === 0 && goldRows > 0) return miss('empty', `no rows instead of ${goldRows}`)
  if (rows !== goldRows) return differentLength(own, wanted, rows, goldRows)
  if (goldRows === 0) return { isEqual: true, extraColumns: [] }
  const candidates = wanted.map(column => own.flatMap((values, index) => (sameValues(values, column, ordered) ? [index] : [])))
  const missing = candidates.findIndex(each => each.length === 0)
  if (missing >= 0) {
    const name = gold.columns[missing]?.name ?? ''
    const isOnlyOne = candidates.filter(each => each.length === 0).length < candidates.length
    return miss(isOnlyOne ? 'wrong_column' : 'wrong_rows', `no column has the values of ${name}`)
  }
  const found = firstAssignment(candidates, assignment => sameRows(pick(own, assignment), wanted, ordered))
  if (found === undefined) return miss('wrong_rows', 'each column has the right values, but not in the right rows')
  const used = new Set(found)
  return { isEqual: true, extraColumns: result.columns.filter((_, index) => !used.has(index)).map(({ name }) => name) }
}

function differentLength(own: Value[][], wanted: Value[][], rows: number, goldRows: number): Comparison {
  const counts = `${rows} ${rows === 1 ? 'row' : 'rows'} instead of ${goldRows}`
  const isShort = rows < goldRows
  // One matching column is enough to report missing or extra rows. The sums in other columns may differ because of these very
  // rows.
  const isPart = wanted.some(column => own.some(values => (isShort ? isPartOf(values, column) : isPartOf(column, values))))
  if (!isPart) return miss('wrong_rows', counts)
  return miss(isShort ? 'missing_rows' : 'extra_rows', counts)
}

/** Whether `all` contains each of the values at least as often as `values` does. */
function isPartOf(values: readonly Value[], all: readonly Value[]): boolean {
  const left = sorted(all)
  let at = 0
  for (const value of sorted(values)) {
    while (at < left.length && !isSame(left[at] ?? null, value) && order(left[at] ?? null, value) < 0) at++
    if (at >= left.length || !isSame(left[at] ?? null, value)) return false
    at++
  }
  return true
}

function sameValues(a: readonly Value[], b: readonly Value[], ordered: boolean): boolean {
  const [left, right] = ordered ? [a, b] : [sorted(a), sorted(b)]
  return left.every((value, index) => isSame(value, right[index] ?? null))
}

function sameRows(own: readonly Value[][], wanted: readonly Value[][], ordered: boolean): boolean {
  // With `ordered`, `sameValues` has already compared each column row by row, so the rows match.
  if (ordered) return true
  const isText = wanted.map(column => column.some(value => typeof value === 'string'))
  const groups = new Map<string, number[]>()
  const count = wanted[0]?.length ?? 0
  const key = (columns: readonly Value[][], row: number) =>
    JSON.stringify(columns.flatMap((column, index) => (isText[index] ? [column[row]] : [])))
  for (let row = 0; row < count; row++) {
    const text = key(own, row)
    const group = groups.get(text)
    if (group === undefined) groups.set(text, [row])
    else group.push(row)
  }
  for (let row = 0; row < count; row++) {
    const group = groups.get(key(wanted, row))
    if (group === undefined) return false
    const place = (same: (a: Value, b: Value) => boolean) =>
      group.findIndex(other => wanted.every((column, index) => same(own[index]?.[other] ?? null, column[row] ?? null)))
    // Exact matches go first. Otherwise a nearly equal row could take the exact match of another row.
    const exact = place(Object.is)
    const at = exact >= 0 ? exact : place(isSame)
    if (at < 0) return false
    group.splice(at, 1)
  }
  return true
}

/** Assigns a different candidate to each column. Returns the first assignment that passes the test. */
function firstAssignment(
  candidates: readonly (readonly number[])[],
  passes: (assignment: readonly number[]) => boolean,
): readonly number[] | undefined {
  let tried = 0
  const extend = (chosen: readonly number[]): readonly number[] | undefined => {
    const next = candidates[chosen.length]
    if (next === undefined) {
      tried++
      return passes(chosen) ? chosen : undefined
    }
    for (const candidate of next) {
      if (chosen.includes(candidate)) continue
      const found = extend([...chosen, candidate])
      if (found !== undefined || tried >= EVAL_LIMITS.assignments) return found
    }
    return undefined
  }
  return extend([])
}

function pick(columns: readonly Value[][], indices: readonly number[]): Value[][] {
  return indices.map(index => columns[index] ?? [])
}

function columnsOf({ columns, rows }: ComparedResult): Value[][] {
  return columns.map((_, index) => rows.map(row => comparableValue(row[index] ?? null)))
}

/** Matches a number as the warehouse writes it. A text with a leading zero, such as `007`, is a code, so it does not match. */
const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i
const MIDNIGHT = /^(\d{4}-\d\d-\d\d) 00:00:00(\.0+)?$/
/** Matches words that mean an empty value: "(none named)", "(unknown)". */
const NOTHING = /^\((?:none|no|not|unknown|without|missing)(?![\p{L}]).*\)$/iu
const WHOLE_SECOND = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.0+$/

function comparableValue(cell: Cell): Value {
  if (cell === null || cell === 'nan') return null
  if (typeof cell === 'boolean') return cell ? 1 : 0
  if (typeof cell === 'number') return cell
  if (typeof cell === 'object') return JSON.stringify(cell)
  // Large integers stay text, because a JavaScript number would lose digits. The test for a finite number excludes hexadecimal
  // ids such as 67e48204, which look like huge numbers.
  if (NUMBER.test(cell) && Number.isFinite(Number(cell)))
    return Number.isSafeInteger(Number(cell)) || /[.e]/i.test(cell) ? Number(cell) : cell
  if (NOTHING.test(cell)) return ''
  return cell.replace(MIDNIGHT, '$1').replace(WHOLE_SECOND, '$1')
}

function isSame(a: Value, b: Value): boolean {
  if (typeof a === typeof b && typeof a !== 'number') return a === b
  if (isBigInteger(a)) return isSame(Number(a), b)
  if (isBigInteger(b)) return isSame(a, Number(b))
  if (typeof a !== 'number' || typeof b !== 'number') return a === b
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return a === b
  return Math.abs(a - b) <= EVAL_LIMITS.tolerance * Math.max(Math.abs(a), Math.abs(b))
}

/** Whether a value is an integer that a JavaScript number cannot hold exactly. */
function isBigInteger(value: Value): value is string {
  return typeof value === 'string' && /^-?[1-9]\d{15,}$/.test(value)
}

function sorted(values: readonly Value[]): Value[] {
  return [...values].sort(order)
}

function order(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  const [left, right] = [rank(a), rank(b)]
  if (left !== right) return left - right
  return String(a) < String(b) ? -1 : Number(String(a) > String(b))
}

function rank(value: Value): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2
}

function miss(kind: ResultMiss, detail: string): Comparison {
  return { isEqual: false, miss: kind, detail }
}
