import { CHECK_LIMITS } from '../limits.ts'
import { range, sumOf } from '../rows/column-sums.ts'
import type { NumberColumn, ResultIndex } from '../rows/result-index.ts'
import { type Derivation, mentionedRows, remembered, type Stated } from './derivation.ts'

const EARLIER = /^(?:before|previous|prev|old|start|first|begin|earlier|prior|ago)$/
const LATER = /^(?:after|current|now|new|end|later|latest)$/

/** A number that a figure may be derived from. */
export interface GivenNumber {
  readonly value: number
  readonly column: (NumberColumn & { readonly isStated?: undefined }) | (Stated['column'] & { readonly isStated: true })
  readonly query: string
  readonly row: number
  /** The number's place in time, if its row or the name of its column gives a time. */
  readonly time: number | undefined
}

type NumberPair = readonly [GivenNumber, GivenNumber]

/**
 * Returns the pairs of numbers to compare: two rows of a column, two columns of a row, cells of two queries, or two stated figures.
 * At least one cell of a pair is in scope.
 */
export function pairs(given: Derivation, sameUnit: boolean): readonly NumberPair[] {
  if (given.budget.isSpent) return []
  const rows = [...given.scope]
    .map(([id, own]) => `${id} ${own.length} ${own.slice(0, CHECK_LIMITS.derive.rows).join(' ')}`)
    .join(';')
  const key = `pairs ${sameUnit} ${given.mentions.length} ${rows}`
  const cells = remembered(given, key, () => cellPairs(given, sameUnit))
  return given.stated.length < 2 ? cells : [...cells, ...statedPairs(given)]
}

function cellPairs(given: Derivation, sameUnit: boolean): NumberPair[] {
  const own = operands(given)
  const others = [...operands({ ...given, scope: new Map() }), ...neighbours(given)]
  const found: NumberPair[] = []
  for (const one of own)
    for (const other of others)
      if (found.length < CHECK_LIMITS.derive.pairs && canCompare(one, other, sameUnit)) found.push(...bothWays(one, other))
  given.budget.take(found.length)
  return found
}

function statedPairs({ stated }: Derivation): NumberPair[] {
  const figures = stated.map(statedOperand)
  return figures.flatMap((one, at) =>
    figures.slice(at + 1).flatMap(other => (sameKind(one.column, other.column) ? bothWays(one, other) : [])),
  )
}

function bothWays(one: GivenNumber, other: GivenNumber): NumberPair[] {
  const scaled = inUnitOf(one, other)
  return [
    [one, scaled],
    [scaled, one],
  ]
}

function statedOperand({ value, column }: Stated, row: number): GivenNumber {
  return { value, column: { ...column, isStated: true }, query: '', row, time: undefined }
}

function canCompare(one: GivenNumber, other: GivenNumber, sameUnit: boolean): boolean {
  if (one === other) return false
  if (one.query === other.query && (one.column === other.column) === (one.row === other.row)) return false
  return sameKind(one.column, other.column) || (!sameUnit && one.query === other.query)
}

function inUnitOf(one: GivenNumber, other: GivenNumber): GivenNumber {
  if (one.column.unit?.dimension !== other.column.unit?.dimension) return other
  const factor = (other.column.unit?.factor ?? 1) / (one.column.unit?.factor ?? 1)
  return factor === 1 ? other : { ...other, value: other.value * factor }
}

/** Returns the cells right before and behind the cells in scope, if the result is a series: "1,850 fewer than a year before". */
function neighbours(given: Derivation): GivenNumber[] {
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

/** Whether values of two columns can be added and compared. */
export function sameKind(one: Stated['column'], other: Stated['column']): boolean {
  if (one.unit?.dimension !== other.unit?.dimension) return false
  return one.whole === other.whole || one.unit !== undefined
}

/**
 * Returns the cells in scope. Without a scope, returns the cells of the named rows. Without names, returns the cells of the first, last and extreme
 * rows.
 */
export function operands(given: Derivation): GivenNumber[] {
  const found: GivenNumber[] = []
  for (const result of given.results) {
    const own = given.scope.get(result.id)
    const named = mentionedRows(result, given)
    for (const column of result.numbers) {
      if (column.key) continue
      const rows =
        own?.slice(0, CHECK_LIMITS.derive.rows) ??
        (named.length > 1 ? named : [...new Set([...named, ...edges(column, result.rowCount)])])
      for (const row of rows.slice(0, CHECK_LIMITS.derive.rows)) {
        const value = column.values[row] ?? Number.NaN
        if (Number.isFinite(value))
          found.push({ value, column, query: result.id, row, time: columnTime(column, result) ?? rowTime(result, row) })
      }
      if (own !== undefined && own.length < 2) continue
      given.mentions.slice(0, CHECK_LIMITS.derive.rows).forEach((mention, at) => {
        const group = mention.get(result.id)
        if (group !== undefined && group.length > 1)
          found.push({ value: sumOf(column, group), column, query: result.id, row: -2 - at, time: undefined })
      })
    }
  }
  return found
}

function edges(column: NumberColumn, count: number): number[] {
  if (count <= 4) return range(count)
  const { sorted } = column.facts
  const least = column.values.indexOf(sorted[0] ?? Number.NaN)
  const most = column.values.indexOf(sorted.at(-1) ?? Number.NaN)
  return [0, 1, count - 2, count - 1, Math.max(0, least), Math.max(0, most)]
}

/** Returns 0 if a column's name marks the earlier value, 1 if the name marks the later value. Undefined for other names. */
export function columnTime(column: NumberColumn, result: ResultIndex): number | undefined {
  if (column.words.some(word => EARLIER.test(word))) return 0
  if (column.words.some(word => LATER.test(word))) return 1
  const partner = result.numbers.some(
    other =>
      other !== column && other.words.some(word => EARLIER.test(word)) && column.words.every(word => other.words.includes(word)),
  )
  return partner ? 1 : undefined
}

/** Returns a row's place in time. Undefined if the result is not a series. */
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
