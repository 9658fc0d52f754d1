import { columnsNamed } from './column-words.ts'
import type { Figure } from './figures.ts'
import { comparableColumns, conversions, fits } from './fits.ts'
import type { NumberColumn, ResultIndex } from './result-index.ts'
import type { Scope } from './support.ts'
import { SAYS } from './wording.ts'

/** What a sentence says beside its figures, for deciding which derivations it announces. */
export interface Derivation {
  readonly results: readonly ResultIndex[]
  /** The wording that announces a derivation: the sentence, and for a table's cell its header. */
  readonly wording: string
  /** Rows of what the figure is said of. */
  readonly scope: Scope
  /** Rows of each name in the sentence. */
  readonly mentions: readonly Scope[]
  readonly totals: boolean
  /** The figure belongs to its name for certain, so it is no sum over others. */
  readonly tight?: boolean
  /** +1 or -1 where the sentence says that it rose or fell. */
  readonly direction: 1 | -1 | 0
  /** The words beside the figure, which may tell the column. */
  readonly words: readonly string[]
  /** Rows of the names before and behind the figure: "528 others: A, B and C". */
  readonly groups?: readonly Scope[]
  readonly inTable?: boolean
  /** "3 of 7": the figure is what another is a part of. */
  readonly isWhole?: boolean
}

interface Operand {
  readonly value: number
  readonly column: NumberColumn
  readonly query: string
  readonly row: number
  /** Where it stands in time, where the row or the column's name tells. */
  readonly time: number | undefined
}

const MOST_ROWS = 12
const MOST_GROUP = 400
const LOST = /(?<!\p{L})(?:lost|loses?|gained|verlor|verloren)(?!\p{L})/iu
const EARLIER = /^(?:before|previous|prev|old|start|first|begin|earlier|prior)$/
const LATER = /^(?:after|current|now|new|end|later|latest)$/

/** Whether the figure follows from the rows in a way that its sentence announces. */
export function isDerived(figure: Figure, given: Derivation): boolean {
  return derivations(figure, given).some(candidate => candidate())
}

function derivations(figure: Figure, given: Derivation): (() => boolean)[] {
  const percent = figure.unit?.dimension === 'part'
  const { wording } = given
  const candidates = [() => isSum(figure, given)]
  if (percent)
    candidates.push(
      () => isShare(figure, given),
      () => isRelativeChange(figure, given),
    )
  const lost = figure.unit?.dimension !== 'part' && LOST.test(wording)
  if (SAYS.difference.test(wording) || lost || figure.sign !== 0) candidates.push(() => isDifference(figure, given))
  if (SAYS.ratio.test(wording) || figure.word === 'ratio') candidates.push(() => isRatio(figure, given))
  if (SAYS.average.test(wording)) candidates.push(() => isAverage(figure, given))
  if (figure.unit?.dimension === 'time') candidates.push(() => isTimeSpan(figure, given))
  return candidates
}

function shows(value: number, column: NumberColumn, figure: Figure): boolean {
  const sign = figure.sign === -1 ? -1 : 1
  return conversions(figure, column).some(factor => fits(value * factor * sign, figure))
}

/** Sums of a column: over everything, over what a name stands for, over the names of the sentence, over the first rows, over the rest. */
function isSum(figure: Figure, given: Derivation): boolean {
  const says = SAYS.sum.test(given.wording)
  return (
    given.results.some(result =>
      columnsNamed(comparableColumns(figure, result.numbers), given.words, true).some(column => {
        if (column.key) return false
        return sums(result, column, given, says).some(value => shows(value, column, figure))
      }),
    ) ||
    ((says || given.isWhole === true) && rowSums(figure, given))
  )
}

function sums(result: ResultIndex, column: NumberColumn, given: Derivation, says: boolean): number[] {
  const values: number[] = []
  const total = sumOf(column)
  if ((given.totals || says) && !given.tight && !result.truncated && result.rowCount > 1) values.push(total)
  const own = given.scope.get(result.id)
  if (own !== undefined && own.length > 1) values.push(sumOf(column, own))
  if (given.tight) return values
  for (const mention of given.mentions) {
    const rows = mention.get(result.id)
    if (rows !== undefined && rows.length > 1) values.push(sumOf(column, rows))
  }
  for (const group of given.groups ?? []) {
    const rows = group.get(result.id) ?? []
    if (rows.length > 1) values.push(sumOf(column, rows))
  }
  if (!says) return values
  const named = mentionedRows(result, given)
  if (named.length > 1) values.push(sumOf(column, named))
  if (own !== undefined && SAYS.rest.test(given.wording)) values.push(total - sumOf(column, own))
  if (named.length > 0 && SAYS.rest.test(given.wording)) values.push(total - sumOf(column, named))
  for (const count of numbersIn(given.wording)) if (count > 1 && count < result.rowCount) values.push(sumOf(column, range(count)))
  return values
}

function rowSums(figure: Figure, given: Derivation): boolean {
  const totals = given.isWhole
    ? given.results.flatMap(result => result.numbers.filter(column => column.whole && column.unit === undefined && !column.key))
    : []
  if (given.totals && totals.some(one => totals.some(other => one !== other && shows(sumOf(one) + sumOf(other), one, figure))))
    return true
  return pairs(given, true).some(
    ([one, other]) =>
      one.row === other.row &&
      one.query === other.query &&
      one.column !== other.column &&
      shows(one.value + other.value, one.column, figure),
  )
}

function isShare(figure: Figure, given: Derivation): boolean {
  const showsPart = (value: number) => fits(value / (figure.unit?.factor ?? 0.01), figure)
  return (
    shares(given).some(value => showsPart(value) || (SAYS.rest.test(given.wording) && showsPart(1 - value))) ||
    percentRest(figure, given)
  )
}

function percentRest(figure: Figure, given: Derivation): boolean {
  if (!SAYS.rest.test(given.wording)) return false
  return operands(given).some(
    ({ value, column }) => column.unit?.dimension === 'part' && shows(1 / column.unit.factor - value, column, figure),
  )
}

/** Parts of a whole: cells and sums over their column's total, over the total of a name, over another column of their row. */
function shares(given: Derivation): number[] {
  const values: number[] = []
  for (const result of given.results) {
    for (const column of result.numbers) {
      if (column.key || column.unit?.dimension === 'part') continue
      const own = given.scope.get(result.id)
      const named = mentionedRows(result, given)
      const rows = own ?? (named.length > 0 ? named : range(Math.min(result.rowCount, MOST_ROWS)))
      const wholes = [
        sumOf(column),
        ...given.mentions
          .map(mention => mention.get(result.id))
          .filter(rows => rows !== undefined && rows.length > 1)
          .map(rows => sumOf(column, rows)),
      ]
      const parts = [...rows.slice(0, MOST_GROUP).map(row => column.values[row] ?? Number.NaN), sumOf(column, rows)]
      if (named.length > 1) parts.push(sumOf(column, named))
      for (const count of numbersIn(given.wording))
        if (count > 1 && count < result.rowCount) parts.push(sumOf(column, range(count)))
      for (const whole of wholes)
        for (const part of parts) if (whole !== 0 && (whole !== part || given.inTable)) values.push(part / whole)
      for (const other of result.numbers) {
        if (other === column || other.key || other.unit?.dimension !== column.unit?.dimension) continue
        const factor = (column.unit?.factor ?? 1) / (other.unit?.factor ?? 1)
        if (column.whole && other.whole && column.unit === undefined) {
          for (const row of rows.slice(0, MOST_GROUP)) {
            const part = column.values[row] ?? Number.NaN
            values.push(part / (part + (other.values[row] ?? Number.NaN)))
          }
        }
        for (const row of rows.slice(0, MOST_GROUP))
          values.push((factor * (column.values[row] ?? Number.NaN)) / (other.values[row] ?? Number.NaN))
        if (given.totals || own === undefined) values.push((factor * sumOf(column)) / sumOf(other))
      }
    }
  }
  if (given.inTable) values.push(1)
  if (!given.tight) {
    const measures = pairs(given, false).filter(
      ([one, other]) => one.column.unit?.dimension !== 'part' && other.column.unit?.dimension !== 'part',
    )
    values.push(...measures.map(([one, other]) => one.value / other.value))
  }
  return values
}

function isRelativeChange(figure: Figure, given: Derivation): boolean {
  if (!SAYS.difference.test(given.wording) && figure.sign === 0) return false
  const unit = figure.unit?.factor ?? 0.01
  return changePairs(figure, given).some(([one, other]) => {
    const change = (one.value - other.value) / Math.abs(other.value)
    return hasDirection(one, other, figure, given) && fits(Math.abs(change) / unit, figure)
  })
}

function isDifference(figure: Figure, given: Derivation): boolean {
  if (
    changePairs(figure, given).some(
      ([one, other]) =>
        hasDirection(one, other, figure, given) &&
        shows(Math.abs(one.value - other.value) * (figure.sign === -1 ? -1 : 1), one.column, figure),
    )
  )
    return true
  const [first, ...others] = given.results
  return (
    first !== undefined &&
    figure.unit === undefined &&
    others.some(other => fits(Math.abs(first.rowCount - other.rowCount), figure))
  )
}

/** Where both operands' order in time is known, what is said to rise did rise; a sign in front is held to as well. */
function hasDirection(later: Operand, earlier: Operand, figure: Figure, given: Derivation): boolean {
  if (later.time === undefined || earlier.time === undefined) return true
  if (later.time <= earlier.time) return false
  const said = figure.sign !== 0 ? figure.sign : given.direction
  return said === 0 || Math.sign(later.value - earlier.value) === said
}

function isRatio(figure: Figure, given: Derivation): boolean {
  if (
    figure.unit !== undefined &&
    figure.unit.dimension !== 'part' &&
    figure.unit.dimension !== 'money' &&
    !SAYS.average.test(given.wording)
  )
    return false
  return (
    pairs(given, false).some(
      ([one, other]) =>
        fits(one.value / other.value, figure) || (figure.word === 'ratio' && fits(1 - one.value / other.value, figure)),
    ) ||
    (figure.word === 'ratio' && shares(given).some(value => fits(value, figure)))
  )
}

function isAverage(figure: Figure, given: Derivation): boolean {
  return (
    quotientsOfTotals(figure, given) ||
    given.results.some(result => {
      const own = given.scope.get(result.id)
      const named = mentionedRows(result, given)
      return result.numbers.some(column => {
        if (column.key) return false
        const groups = [own, named, range(result.rowCount)].filter(rows => rows !== undefined && rows.length > 1)
        if (groups.some(rows => rows !== undefined && shows(meanOf(column, rows), column, figure))) return true
        const last = column.values[result.rowCount - 1] ?? Number.NaN
        const steps = ((column.values[0] ?? Number.NaN) - last) / (result.rowCount - 1)
        if (result.rowCount > 2 && shows(Math.abs(steps), column, figure)) return true
        return result.numbers.some(other => {
          if (other === column || figure.unit?.dimension === 'part' || !SAYS.per.test(given.wording)) return false
          if (
            (own ?? range(Math.min(result.rowCount, MOST_ROWS))).some(row =>
              basesIn(given.wording).some(base =>
                shows((base * (column.values[row] ?? Number.NaN)) / (other.values[row] ?? Number.NaN), column, figure),
              ),
            )
          )
            return true
          return given.totals && shows(sumOf(column) / sumOf(other), column, figure)
        })
      })
    })
  )
}

/** "$861 per person" over two queries: one's total by the other's. */
function quotientsOfTotals(figure: Figure, given: Derivation): boolean {
  if (given.results.length < 2 || given.tight) return false
  const totals = given.results.flatMap(result =>
    result.numbers.filter(column => !column.key).map(column => ({ column, sum: sumOf(column) })),
  )
  return totals.some(one =>
    totals.some(other => one !== other && other.sum !== 0 && shows(one.sum / other.sum, one.column, figure)),
  )
}

/** Spans between two times of the rows: "3.5 hours later". */
function isTimeSpan(figure: Figure, given: Derivation): boolean {
  return given.results.some(result => {
    const named = mentionedRows(result, given)
    const rows = named.length > 1 ? named : range(Math.min(result.rowCount, MOST_ROWS))
    const times = result.times.flatMap(column => rows.map(row => column.values[row] ?? Number.NaN))
    return times.some(one => times.some(other => one > other && fits((one - other) / 1000 / (figure.unit?.factor ?? 1), figure)))
  })
}

/** Pairs to subtract: cells of one kind, and the totals of two columns. */
function changePairs(figure: Figure, given: Derivation): [Operand, Operand][] {
  const named = new Set(
    given.results.flatMap(result => [
      ...columnsNamed(
        figure.unit?.dimension === 'part' ? result.numbers : comparableColumns(figure, result.numbers),
        given.words,
        true,
      ),
    ]),
  )
  const found = pairs(given, true).filter(([one, other]) => named.has(one.column) || named.has(other.column))
  found.push(...steps(given))
  for (const result of given.results) {
    if (result.rowCount < 2 || result.truncated || !given.totals) continue
    for (const one of result.numbers) {
      for (const other of result.numbers) {
        if (one === other || !sameKind(one, other)) continue
        found.push([total(one, result), total(other, result)])
      }
    }
  }
  return found
}

/** Each row of a series against the one before it. */
function steps(given: Derivation): [Operand, Operand][] {
  return given.results
    .filter(result => result.textColumns.length === 0 && result.rowCount <= 60 && given.scope.get(result.id) === undefined)
    .flatMap(result =>
      result.numbers
        .filter(column => !column.key)
        .flatMap(column =>
          range(result.rowCount - 1).map((row): [Operand, Operand] => {
            const at = (index: number) => ({
              value: column.values[index] ?? Number.NaN,
              column,
              query: result.id,
              row: index,
              time: rowTime(result, index),
            })
            return [at(row + 1), at(row)]
          }),
        ),
    )
}

function total(column: NumberColumn, result: ResultIndex): Operand {
  return { value: sumOf(column), column, query: result.id, row: -1, time: columnTime(column, result) }
}

/** Pairs of cells that can be compared: of one column in two rows, of two columns in one row, or across queries. One of them is in scope. */
function pairs(given: Derivation, sameUnit: boolean): [Operand, Operand][] {
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

function sameKind(one: NumberColumn, other: NumberColumn): boolean {
  if (one.unit?.dimension !== other.unit?.dimension) return false
  return one.whole === other.whole || one.unit !== undefined
}

/** The cells of the rows in scope, else of the rows that the sentence names, else of the first, last and extreme rows. */
function operands(given: Derivation): Operand[] {
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

function columnTime(column: NumberColumn, result: ResultIndex): number | undefined {
  if (column.words.some(word => EARLIER.test(word))) return 0
  if (column.words.some(word => LATER.test(word))) return 1
  const partner = result.numbers.some(
    other =>
      other !== column && other.words.some(word => EARLIER.test(word)) && column.words.every(word => other.words.includes(word)),
  )
  return partner ? 1 : undefined
}

function rowTime(result: ResultIndex, row: number): number | undefined {
  if (result.textColumns.length > 0) return undefined
  const time = result.times[0]
  if (time !== undefined) return time.values[row]
  const key = result.numbers.find(column => column.key)
  if (key === undefined) return undefined
  const value = key.values[row] ?? 0
  if (key.words.at(-1) === 'ago') return -value
  return /epoch|year|month|week|day|slot|height/.test(key.name) ? value : undefined
}

export function mentionedRows(result: ResultIndex, given: Pick<Derivation, 'mentions'>): number[] {
  const rows = new Set<number>()
  for (const mention of given.mentions) for (const row of (mention.get(result.id) ?? []).slice(0, MOST_GROUP)) rows.add(row)
  return [...rows]
}

/** "Per 1,000 visitors". */
function basesIn(wording: string): number[] {
  const base = /(?:per|pro|je)\s(1[.,]?0{1,3}(?:[.,]?0{3})*)(?!\d)/iu.exec(wording)?.[1]
  return base === undefined ? [1] : [1, Number(base.replace(/[.,]/g, ''))]
}

function numbersIn(wording: string): number[] {
  const words = 'zero one two three four five six seven eight nine ten'.split(' ')
  const german = 'null eins zwei drei vier fünf sechs sieben acht neun zehn'.split(' ')
  return (wording.toLowerCase().match(/(?<![\p{L}\d.,])(?:\d{1,2}|\p{L}+)(?![\d.,]\d)/gu) ?? []).map(word =>
    /^\d/.test(word) ? Number(word) : Math.max(words.indexOf(word), german.indexOf(word)),
  )
}

function sumOf(column: NumberColumn, rows?: readonly number[]): number {
  let sum = 0
  if (rows === undefined) for (const value of column.values) sum += Number.isFinite(value) ? value : 0
  else for (const row of rows) sum += Number.isFinite(column.values[row] ?? Number.NaN) ? (column.values[row] ?? 0) : 0
  return sum
}

function meanOf(column: NumberColumn, rows: readonly number[]): number {
  const known = rows.filter(row => Number.isFinite(column.values[row] ?? Number.NaN))
  return known.length === 0 ? Number.NaN : sumOf(column, known) / known.length
}

function range(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}
