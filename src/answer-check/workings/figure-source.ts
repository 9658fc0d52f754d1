import { z } from 'zod'
import { memoizePerObject } from '../../base/memoize.ts'
import { isSensitiveName } from '../../warehouse/catalog/sensitive-name.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import type { Cell } from '../../warehouse/warehouse.ts'
import { answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import type { CheckedQuery } from '../checked-query.ts'
import type { Figure } from '../figures/figure.ts'
import { CHECK_LIMITS } from '../limits.ts'
import { isKeyName, isNameOfRow } from '../rows/key-name.ts'
import type { Match } from '../support.ts'
import { type Condition, positionOf } from './condition.ts'
import type { Worked, WorkedPart } from './worked-part.ts'

export const figureSourceSchema = z.object({
  /** The figure as the answer shows it, or the head of a table's column. */
  text: z.string(),
  /** The first query that the figure comes from. */
  query: z.string(),
  /** The exact value. Null for a day or a name, and for a column of a table. */
  value: z.number().nullable(),
  /** How the figure follows from the rows, in the answer's language: `100 × devices of fra ÷ devices of all 12`. Null if the figure is a cell. */
  formula: z.string().nullable(),
  /** The first cells that the figure comes from. */
  cells: z.array(
    z.object({
      query: z.string(),
      /** The number of the row, from 1. */
      row: z.number(),
      /** The name of the row. Null if no column of the result names it. */
      name: z.string().nullable(),
      column: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
    }),
  ),
})
/** The source of an answer's figure: a cell, or a formula over cells. All texts are plain, and may be hostile. */
export type FigureSource = z.infer<typeof figureSourceSchema>

type Evaluated = Pick<Worked, 'value' | 'terms' | 'parts'>

/**
 * Returns the source of a figure that its working confirms, or of all figures in a table's column.
 * @param below the same formula, evaluated for the further rows of the table
 */
export function figureSource(
  text: string,
  { value, terms, parts }: Evaluated,
  language: Language,
  below: readonly Evaluated[] = [],
): FigureSource {
  const query = parts[0]?.query ?? ''
  const isLone = terms.length === 1 && (parts[0]?.aggregate ?? 'value') === 'value'
  const isOfEachRow = (at: number) => below.some(other => other.parts[at]?.rows[0] !== parts[at]?.rows[0])
  const read = [...parts, ...below.flatMap(other => other.parts.filter((_, at) => isOfEachRow(at)))]
  const cells = read.slice(0, CHECK_LIMITS.sources.cells).flatMap(cellsRead)
  // Parentheses around a whole formula say nothing, so they are removed.
  const isEnclosed = terms[0] === '(' && terms.indexOf(')') === terms.length - 1
  const formula = (isEnclosed ? terms.slice(1, -1) : terms).map(term => {
    if (typeof term === 'string') return term
    const words = partText(term, language, isOfEachRow(parts.indexOf(term)))
    return term.query === query ? words : `${words} (${term.query})`
  })
  return {
    text: short(text),
    query,
    value: Number.isFinite(value) && below.length === 0 ? value : null,
    formula: isLone && cells.length === 1 ? null : onOneLine(formula.join(''), CHECK_LIMITS.sources.formulaCharacters),
    cells: cells.slice(0, CHECK_LIMITS.sources.cells),
  }
}

/** Returns the source of a figure without a working: the only cell that shows it. */
export function cellSource(
  { text, date }: Figure,
  { column, row, value }: Match,
  source: CheckedQuery,
  language: Language,
): FigureSource {
  const part = { query: source.id, source, column, rows: [row], isCell: true, isTime: false, about: [], conditions: [] }
  return figureSource(text, { value: date === undefined ? value : Number.NaN, terms: [part], parts: [part] }, language)
}

/** Writes each source once, on a line: `4.2 ms: Q1, row 3 (fra-dz01), rtt_ms`. */
export function sourceLines(figures: readonly FigureSource[], language: Language): readonly string[] {
  const { row } = answerWords(language).sources
  const lines = figures.map(({ text, query, formula, cells: [cell] }) => {
    const name = cell?.name == null ? '' : ` (${cell.name})`
    return `${text}: ${query}, ${formula ?? `${row(cell?.row ?? 0)}${name}, ${cell?.column}`}`
  })
  return [...new Set(lines)]
}

/** Returns the first cells that a part reads. Empty for `count()`, and for a column whose name suggests secrets or personal data. */
function cellsRead({ source, rows, conditions, column, counted }: WorkedPart): FigureSource['cells'] {
  const name = column ?? counted ?? conditions[0]?.column
  if (name === undefined || isSensitiveName(name)) return []
  const at = positionOf(source, name)
  return rows.slice(0, CHECK_LIMITS.sources.cells).map(row => ({
    query: source.id,
    row: row + 1,
    name: rowName(source, row, name),
    column: short(name),
    value: shortCell(source.rows[row]?.[at] ?? null),
  }))
}

function shortCell(cell: Cell): FigureSource['cells'][number]['value'] {
  return typeof cell === 'number' || typeof cell === 'boolean' || cell === null ? cell : short(textOf(cell))
}

const NAME_TYPE = /^(?:LowCardinality\()?(?:Nullable\()?(?:String|FixedString|Enum|Date|UUID|IPv)/

interface NamingColumn {
  readonly name: string
  readonly at: number
  readonly isText: boolean
}

/**
 * Returns the columns that can name a row: texts, days and, if there are several rows, keys. None of their names suggests secrets
 * or personal data.
 */
function namingColumns({ columns, rows }: CheckedQuery): readonly NamingColumn[] {
  return columns.flatMap(({ name, type }, at) => {
    const isText = NAME_TYPE.test(type)
    const isNaming = isText || (isKeyName(name) && rows.length > 1)
    return isNaming && !isSensitiveName(name) ? [{ name, at, isText }] : []
  })
}

/** The columns that can name a row, the best first: one that tells all rows apart, a name, a text, the shortest values. */
const bestNamingColumns = memoizePerObject((query: CheckedQuery): readonly NamingColumn[] => {
  const { rows } = query
  const rated = namingColumns(query).map(column => {
    const texts = rows.map(row => textOf(row[column.at] ?? null))
    const worst = new Set(texts).size < rows.length
    // A lone row has nothing to be told from, so its first text is as good as a shorter one.
    const longest = rows.length > 1 ? texts.reduce((most, text) => Math.max(most, text.length), 0) : 0
    return { column, ratings: [worst, !isNameOfRow(column.name), !column.isText, longest].map(Number) }
  })
  const compare = (left: readonly number[], right: readonly number[]) =>
    left.map((rating, at) => rating - (right[at] ?? 0)).find(difference => difference !== 0) ?? 0
  return rated.sort((left, right) => compare(left.ratings, right.ratings)).map(({ column }) => column)
})

/**
 * Returns what tells a row from the others: the best text, day or key that no other row has, or else the first few of them that
 * no other row has together. Null if there is none. The texts of a lone row name it; its keys do not.
 */
function rowName(query: CheckedQuery, row: number, except: string | undefined): string | null {
  const { rows } = query
  const textAt = (index: number, at: number) => textOf(rows[index]?.[at] ?? null)
  const hasName = ({ name, at }: NamingColumn) => name !== except && (rows[row]?.[at] ?? '') !== ''
  const isOwn = (names: readonly NamingColumn[]) =>
    !rows.some((_, index) => index !== row && names.every(({ at }) => textAt(index, at) === textAt(row, at)))
  const shown = ({ name, at, isText }: NamingColumn) => (isText ? textAt(row, at) : `${name} ${textAt(row, at)}`)
  const alone = bestNamingColumns(query).find(each => hasName(each) && isOwn([each]))
  if (alone !== undefined) return short(shown(alone))
  const naming = namingColumns(query).filter(hasName)
  const together = naming.slice(0, 1 + naming.findIndex((_, last) => isOwn(naming.slice(0, last + 1))))
  return together.length === 0 ? null : short(together.map(shown).join(' / '))
}

function partText(part: WorkedPart, language: Language, isOfEachRow: boolean): string {
  const { sources } = answerWords(language)
  const { source, aggregate = 'value', conditions, rows, column = part.counted } = part
  const total = source.rows.length
  const met = sources.rowsWith(conditions.map(conditionText).join(', '))
  if (column === undefined) return conditions.length > 0 ? met : sources.allRows(total)
  if (isOfEachRow) return sources.cell(short(column), sources.eachRow)
  const few = rows.slice(0, CHECK_LIMITS.sources.names).map(row => rowName(source, row, column) ?? sources.row(row + 1))
  const named = rows.length > few.length ? sources.rows(rows.length) : few.join(', ')
  if (aggregate === 'value') return total === 1 ? short(column) : sources.cell(short(column), named)
  const text = sources.aggregate(aggregate, short(column), conditions.length > 0 ? met : sources.all(total))
  return part.isCell ? `${text} (${named})` : text
}

const SIGNS: Readonly<Record<string, string>> = { '!=': '≠', '<>': '≠', '<=': '≤', '>=': '≥' }

function conditionText({ column, operator, value, other, sign }: Condition): string {
  const wanted = other === undefined ? String(value ?? 'NULL') : `${sign < 0 ? '−' : ''}${other}`
  return `${short(column)} ${SIGNS[operator] ?? operator} ${isSensitiveName(column) ? '…' : short(wanted)}`
}

function textOf(cell: Cell): string {
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

function short(text: string): string {
  return onOneLine(text, CHECK_LIMITS.sources.nameCharacters)
}
