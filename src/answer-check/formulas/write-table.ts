import { visibleText } from '../../base/text/visible-text.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import type { CheckedQuery } from '../checked-query.ts'
import { otherCurrency } from '../figures/currencies.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { tellsOtherAggregate } from '../rows/column-words.ts'
import { isKeyName, nameWords } from '../rows/key-name.ts'
import { positionOf } from '../workings/condition.ts'
import { WorkingFault } from '../workings/fault.ts'
import { type FigureSource, figureSource } from '../workings/figure-source.ts'
import type { Worked } from '../workings/worked-part.ts'
import type { WorkBench } from '../workings/working.ts'
import type { FormulaSource } from './formula.ts'
import { durationText } from './formula-text.ts'
import { decimalsOfRatio, decimalsShown, styledNumber } from './number-style.ts'
import { readTable, type TableFormula } from './read-table.ts'
import { scaleFor, unitBehind } from './unit-scale.ts'

/** If all numbers of a column are below this, they have no thousands separators. */
const GROUPED_FROM = 10_000
const MISSING = '–'

/** A table that is written out. */
export interface WrittenTable {
  readonly heads: readonly string[]
  /** The table in Markdown. */
  readonly markdown: string
  readonly rowCount: number
  /** The queries that it reads. */
  readonly cited: readonly string[]
  /** The sources of its columns of figures. */
  readonly figures: readonly FigureSource[]
}

/**
 * Writes a table from the rows of a result, row by row. A formula of the table is evaluated for each row.
 * @throws WorkingFault if the table cannot be read or written
 */
export function* writeTable(inner: string, bench: WorkBench, source: FormulaSource): Generator<void, WrittenTable> {
  const table = readTable(inner)
  const query = queryOf(table, source)
  const rows = rowsOf(table, query)
  const columns: WrittenColumn[] = []
  for (const column of table.columns) columns.push(yield* writeColumn(column, rows, query, bench, source))
  const heads = table.columns.map(({ head }) => head)
  const lines = [
    heads.map(escaped),
    heads.map(() => '---'),
    ...rows.map((_, at) => columns.map(({ cells }) => cells[at] ?? MISSING)),
  ]
  const markdown = lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
  const cited = new Set([query.id, ...columns.flatMap(column => column.cited)])
  return { heads, markdown, rowCount: rows.length, cited: [...cited], figures: columns.flatMap(({ figures }) => figures) }
}

function queryOf({ query: id }: TableFormula, { queries, cited }: FormulaSource): CheckedQuery {
  const all = id === undefined ? (cited.length > 0 ? cited : queries.map(query => query.id)) : [id]
  const [only, ...others] = new Set(all)
  const query = queries.find(each => each.id === only)
  if (query === undefined || others.length > 0) throw new WorkingFault('the table names no query with a result')
  return query
}

function rowsOf({ rows }: TableFormula, query: CheckedQuery): number[] {
  const count = query.rows.length
  const ranges = rows.length === 0 ? [{ from: 1, to: count }] : rows
  if (count === 0 || ranges.some(({ from }) => from > count)) throw new WorkingFault(`${query.id} has ${count} rows`)
  const most = CHECK_LIMITS.formulas.tableRows
  const picked = ranges.flatMap(({ from, to }) =>
    Array.from({ length: Math.min(to, count, from + most) - from + 1 }, (_, at) => from - 1 + at),
  )
  if (picked.length > most) throw new WorkingFault(`a table has at most ${most} rows: name them, as in 1-10`)
  return picked
}

interface WrittenColumn extends Pick<WrittenTable, 'cited' | 'figures'> {
  readonly cells: readonly string[]
}

function* writeColumn(
  { head, expression, hint }: TableFormula['columns'][number],
  rows: readonly number[],
  query: CheckedQuery,
  bench: WorkBench,
  { results, language }: FormulaSource,
): Generator<void, WrittenColumn> {
  const position = positionOf(query, expression.replace(/^`([^`]*)`$/, '$1'))
  checkHead(head, position, query)
  const isComputed = position < 0
  const isNumbers = results.some(({ id, numbers }) => id === query.id && numbers.some(number => number.position === position))
  const values: { readonly cell: Cell; readonly worked?: Worked }[] = []
  let fault: string | undefined
  for (const row of rows) {
    const cell = query.rows[row]?.[position] ?? null
    const outcome =
      isComputed || isNumbers ? yield* bench.workOut(expression, query, undefined, row) : { fault: 'the column holds texts' }
    yield
    if ('fault' in outcome) fault = outcome.fault
    else if (Number.isNaN(outcome.value)) fault = `${expression} holds no number`
    values.push('fault' in outcome || Number.isNaN(outcome.value) ? { cell } : { cell, worked: outcome })
  }
  const [first, ...others] = values.flatMap(({ worked }) => worked ?? [])
  if (first === undefined) {
    if (isComputed) throw new WorkingFault(fault ?? `${expression} holds no number`)
    return { cells: values.map(({ cell }) => cellText(cell)), cited: [], figures: [] }
  }
  const unit = unitOfHead(head)
  const figure = unit === undefined ? undefined : unitBehind(` ${unit}`, '')
  const parts = [first, ...others].flatMap(each => each.parts)
  const currency = unit === undefined ? undefined : otherCurrency({ start: 0, end: 1 }, `1 ${unit}`, parts, results)
  if (currency !== undefined) throw new WorkingFault(`${head}: the column is in ${currency}`)
  const scale = figure === undefined ? 1 : scaleFor(figure, first, results)
  const shown = [first, ...others].map(({ value }) => Math.abs(value * scale))
  const largest = shown.reduce((most, value) => Math.max(most, value), 0)
  const style = {
    language,
    isGrouped: largest >= GROUPED_FROM && (isComputed || !isKeyName(query.columns[position]?.name ?? '')),
    decimals: typeof hint === 'number' ? hint : shown.every(Number.isInteger) ? 0 : decimalsOfRatio(largest),
  }
  const isStored = !isComputed && scale === 1 && hint === undefined
  const decimals = values.reduce((most, { cell }) => Math.max(most, decimalsShown(exactText(cell) ?? '')), 0)
  const cells = values.map(({ cell, worked }) => {
    if (worked === undefined) return cellText(cell)
    if (hint === 'h min') return durationText(worked, results)
    const exact = isStored ? exactText(cell) : undefined
    const kept = exact === undefined ? style.decimals : decimals
    const text = exact ?? String(worked.value * scale)
    // Zero has the decimals of its column too.
    if (Number(text) === 0) return styledNumber((0).toFixed(kept), { ...style, decimals: undefined })
    return styledNumber(text, { ...style, decimals: /\.(\d+)$/.exec(text)?.[1]?.length === kept ? undefined : kept })
  })
  return { cells, cited: first.parts.map(part => part.query), figures: [figureSource(head, first, language, others)] }
}

/** @throws WorkingFault if the head of a column is the name of another column */
function checkHead(head: string, position: number, { columns }: CheckedQuery): void {
  const words = nameWords(head)
  const own = nameWords(columns[position]?.name ?? '')
  if (tellsOtherAggregate(head.replace(/\([^()]*\)$/, ''), own.join('_')))
    throw new WorkingFault(`${head} is not what ${columns[position]?.name} tells`)
  // "Cancelled (%)" may head cancel_pct beside a column of cancelled flights, and "Site" may head site_name.
  const isOwn = position < 0 || words.every(word => own.includes(word)) || /%/.test(head) || unitOfHead(head) !== undefined
  if (!isOwn && columns.some(({ name }) => nameWords(name).join('_') === words.join('_')))
    throw new WorkingFault(`${head} is the name of another column than ${columns[position]?.name}`)
}

/** Returns the unit in a head: the % of "Loss (%)", the EUR of "Revenue in EUR". */
function unitOfHead(head: string): string | undefined {
  return /\(([^()]{1,30})\)$/.exec(head)?.[1] ?? /\sin\s(\S{1,20})$/.exec(head)?.[1]
}

function exactText(cell: Cell): string | undefined {
  const text = typeof cell === 'number' || typeof cell === 'string' ? String(cell) : ''
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined
}

/** Writes a text, a day or a moment of the rows. */
function cellText(cell: Cell): string {
  if (cell === null || cell === '') return MISSING
  const text =
    typeof cell === 'string' ? cell.slice(0, 10 * CHECK_LIMITS.formulas.cellCharacters) : JSON.stringify(cell).slice(0, 1_000)
  const moment = text.replace(/^(\d{4}-\d\d-\d\d[ T]\d\d:\d\d):00(?:\.0+)?Z?$/, '$1')
  return escaped(cutCharacters(visibleText(moment).replace(/\s+/g, ' '), CHECK_LIMITS.formulas.cellCharacters))
}

/** Escapes a text of the rows, so that it cannot end its table cell or look like a citation. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\[(?=[QE]\d)/g, '\\[')
}
