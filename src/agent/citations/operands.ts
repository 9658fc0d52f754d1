import { range, sumOf } from './column-sums.ts'
import { type Derivation, MOST_ROWS, mentionedRows } from './derivation.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'

const EARLIER = /^(?:before|previous|prev|old|start|first|begin|earlier|prior)$/
const LATER = /^(?:after|current|now|new|end|later|latest)$/

export interface Operand {
  readonly value: number
  readonly column: NumberColumn
  readonly query: string
  readonly row: number
  /** Where it stands in time, where the row or the column's name tells. */
  readonly time: number | undefined
}

/** Pairs of cells that can be compared: of one column in two rows, of two columns in one row, or across queries. One of them is in scope. */
export function pairs(given: Derivation, sameUnit: boolean): [Operand, Operand][] {
  const own = operands(given)
  const others = [...operands({ ...given, scope: new Map() }), ...neighbours(given)]
  const found: [Operand, Operand][] = []
  for (const one of own) {
    for (const other of others) {
      if (one === other || (one.query === other.query && one.column === other.column && one.row === other.row)) continue
      if (one.query === other.query && one.column !== other.column && one.row !== other.row) continue
      if (!sameKind(one.column, other.column) && (sameUnit || one.query !== other.query)) continue
      const factor = (other.column.unit?.factor ?? 1) / (one.column.unit?.factor ?? 1)
      const scaled =
        one.column.unit?.dimension === other.column.unit?.dimension && factor !== 1
          ? { ...other, value: other.value * factor }
          : other
      found.push([one, scaled], [scaled, one])
    }
  }
  return found
}

export function sameKind(one: NumberColumn, other: NumberColumn): boolean {
  if (one.unit?.dimension !== other.unit?.dimension) return false
  return one.whole === other.whole || one.unit !== undefined
}

/** The cells of the rows in scope, else of the rows that the sentence names, else of the first, last and extreme rows. */
export function operands(given: Derivation): Operand[] {
  const found: Operand[] = []
  for (const result of given.results) {
    const own = given.scope.get(result.id)
    const named = mentionedRows(result, given)
    for (const column of result.numbers) {
      if (column.key) continue
      const rows =
        own?.slice(0, MOST_ROWS) ?? (named.length > 1 ? named : [...new Set([...named, ...edges(column, result.rowCount)])])
      for (const row of rows.slice(0, MOST_ROWS)) {
        const value = column.values[row] ?? Number.NaN
        if (Number.isFinite(value))
          found.push({ value, column, query: result.id, row, time: columnTime(column, result) ?? rowTime(result, row) })
      }
      if (own !== undefined && own.length < 2) continue
      given.mentions.forEach((mention, at) => {
        const group = mention.get(result.id)
        if (group !== undefined && group.length > 1)
          found.push({ value: sumOf(column, group), column, query: result.id, row: -2 - at, time: undefined })
      })
    }
  }
  return found
}

/** In a series, the cells just before and behind those in scope: "1,850 fewer than a year before". */
function neighbours(given: Derivation): Operand[] {
  const scope = new Map<string, readonly number[]>()
  for (const result of given.results) {
    const own = given.scope.get(result.id) ?? []
    const rows =
      result.textColumns.length > 0 || own.length > 2
        ? []
        : own.flatMap(row => [row - 1, row + 1]).filter(row => row >= 0 && row < result.rowCount)
    scope.set(result.id, rows)
  }
  return operands({ ...given, scope })
}

function edges(column: NumberColumn, count: number): number[] {
  if (count <= 4) return range(count)
  let least = 0
  let most = 0
  column.values.forEach((value, row) => {
    if (value < (column.values[least] ?? value)) least = row
    if (value > (column.values[most] ?? value)) most = row
  })
  return [0, 1, count - 2, count - 1, least, most]
}

export function columnTime(column: NumberColumn, result: ResultIndex): number | undefined {
  if (column.words.some(word => EARLIER.test(word))) return 0
  if (column.words.some(word => LATER.test(word))) return 1
  const partner = result.numbers.some(
    other =>
      other !== column && other.words.some(word => EARLIER.test(word)) && column.words.every(word => other.words.includes(word)),
  )
  return partner ? 1 : undefined
}

export function rowTime(result: ResultIndex, row: number): number | undefined {
  if (result.textColumns.length > 0) return undefined
  const time = result.times[0]
  if (time !== undefined) return time.values[row]
  const key = result.numbers.find(column => column.key)
  if (key === undefined) return undefined
  const value = key.values[row] ?? 0
  if (key.words.at(-1) === 'ago') return -value
  return /epoch|year|month|week|day|slot|height/.test(key.name) ? value : undefined
}
