import type { Cell } from '../../clickhouse/warehouse.ts'
import type { QueryReport } from '../run-result.ts'
import { namedUnit, type Unit } from './units.ts'
import { FUNCTION_WORDS } from './wording.ts'

/** A column of numbers: NaN where the cell is NULL, NaN or no number, so that neither ever equals 0. */
export interface NumberColumn {
  readonly name: string
  /** Its index among the result's columns. */
  readonly position: number
  readonly values: Float64Array
  /** The cells' own decimal text, for numbers beyond what a double holds. */
  readonly texts: readonly string[]
  readonly whole: boolean
  /** No value is beyond one: it may hold parts of one. */
  readonly fraction: boolean
  readonly unit?: Unit
  readonly words: readonly string[]
  /** Values name the row rather than measure something: an epoch, a status code, weeks ago. */
  readonly key: boolean
}

export interface TimeColumn {
  readonly name: string
  readonly position: number
  /** Milliseconds since 1970 of the time as it is written in the cell; NaN for NULL. */
  readonly values: Float64Array
  readonly zone: string
  /** Days without a time of day. */
  readonly days: boolean
  /** Every day is the first of a month: it stands for the month. */
  readonly months: boolean
}

/** A value of a text column, with the rows and columns that hold it. */
export interface Entity {
  readonly key: string
  readonly rows: number[]
  readonly columns: Set<string>
}

/** A part of a compound value: `tyo` and `sin` of `tyo:sin`, an element of a comma list. */
export interface Part extends Entity {
  /** A word that the sentence may use for itself: it is a name only where it is quoted. */
  readonly plain: boolean
}

/** One result made ready for look-ups. */
export interface ResultIndex {
  readonly id: string
  readonly rowCount: number
  readonly truncated: boolean
  readonly numbers: readonly NumberColumn[]
  readonly times: readonly TimeColumn[]
  readonly entities: ReadonlyMap<string, Entity>
  /** Parts of the text columns' values that are no value of their own. */
  readonly parts: ReadonlyMap<string, Part>
  readonly textColumns: readonly string[]
  /** The most words that any name has. */
  readonly longestName: number
  readonly sql: string
}

const NUMERIC = /^(?:U?Int\d+|Float\d+|BFloat16|Decimal\d*\b)/
const TIME = /^(Date|Date32|DateTime|DateTime64)(?:\((?:\d+,\s*)?(?:'([^']+)')?\))?$/
const KEY_NAME =
  /(?:^|_)(?:id|code|epoch|year|month|quarter|week|day|weekday|hour|minute|port|asn|version|level|rank|position|bucket|slot|height|cohort|block|number_of_week)$|(?:^|_)(?:weeks?|days?|months?|years?)_ago$/
const LONGEST_NAME = 120
const MOST_NESTED = 12
const LONGEST_COMPOUND = 1_000
const MOST_PARTS = 20_000

/** Prepares a result; bounded by its rows. */
export function indexResult(query: QueryReport): ResultIndex {
  const numbers: NumberColumn[] = []
  const times: TimeColumn[] = []
  const entities = new Map<string, Entity>()
  const parts = new Map<string, Part>()
  const textColumns: string[] = []
  let longestName = 1
  const addEntity = (text: string, row: number, column: string) => {
    longestName = Math.max(longestName, addName(text, row, column, entities))
  }
  query.columns.forEach((column, position) => {
    const type = innerType(column.type)
    const cells = query.rows.map(row => row[position] ?? null)
    const time = TIME.exec(type)
    if (NUMERIC.test(type)) numbers.push(numberColumn(column.name, position, cells, !/Float|Decimal/.test(type)))
    else if (time) times.push(timeColumn(column.name, position, cells, time[2] ?? 'UTC', /^Date(?:32)?$/.test(time[1] ?? '')))
    else if (/^Bool/.test(type)) return
    else if (/^(?:Array|Tuple|Map|Nested)/.test(type)) {
      const flat = cells.map(cell => flatten(cell))
      flat.forEach((values, row) => {
        for (const value of values) if (typeof value === 'string') addEntity(value, row, column.name)
      })
      const width = Math.min(MOST_NESTED, Math.max(0, ...flat.map(values => values.length)))
      for (let at = 0; at < width; at++)
        numbers.push(
          numberColumn(
            column.name,
            position,
            flat.map(values => values[at] ?? null),
            false,
          ),
        )
    } else {
      textColumns.push(column.name)
      cells.forEach((cell, row) => {
        if (typeof cell !== 'string') return
        addEntity(cell, row, column.name)
        addParts(cell, row, column.name, parts)
      })
    }
  })
  for (const key of parts.keys()) {
    if (entities.has(key)) parts.delete(key)
    else longestName = Math.max(longestName, nameTokens(key).length)
  }
  const marked = numbers.map(column => ({ ...column, key: isKey(column, query.rows.length) }))
  return {
    id: query.id,
    rowCount: query.rows.length,
    truncated: query.truncated,
    numbers: marked,
    times,
    entities,
    parts,
    textColumns,
    longestName,
    sql: query.sql ?? '',
  }
}

/** Notes the row and column of a name; returns how many words it has, 0 where it is too long to be looked for. */
function addName(text: string, row: number, column: string, entities: Map<string, Entity>): number {
  if (text === '' || text.length > LONGEST_NAME) return 0
  const key = normalName(text)
  const known = entities.get(key) ?? { key, rows: [], columns: new Set<string>() }
  if (known.rows.at(-1) !== row) known.rows.push(row)
  known.columns.add(column)
  entities.set(key, known)
  return nameTokens(key).length
}

/** What stands between the separators of a compound value, and the elements of a comma list. */
function addParts(cell: string, row: number, column: string, parts: Map<string, Part>): void {
  if (cell.length > LONGEST_COMPOUND) return
  const listed = cell.split(',').map(normalName)
  const isList = listed.length > 1 && listed.every(element => element !== '' && element.split(' ').length <= 3)
  const elements = new Set(isList ? listed : [])
  for (const key of new Set([...elements, ...cell.split(/[:/.,\s]+/).map(normalName)])) {
    if (key.length < 2 || !/\p{L}/u.test(key) || key === normalName(cell)) continue
    const isCode = key.length >= 4 && /[\d_-]/.test(key)
    const known = parts.get(key)
    if (known === undefined && parts.size >= MOST_PARTS) return
    const part = known ?? { key, rows: [], columns: new Set<string>(), plain: !isCode && !elements.has(key) }
    if (part.rows.at(-1) !== row) part.rows.push(row)
    part.columns.add(column)
    parts.set(key, part.plain && elements.has(key) ? { ...part, plain: false } : part)
  }
}

/** How names are compared: lower case, one blank between words. */
export function normalName(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}

export function nameTokens(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []
}

/** Names that are words of the language cannot be told from the sentence's own words. */
export function isTellingName(key: string): boolean {
  return !FUNCTION_WORDS.has(key) && !(key.length === 1 && !/\p{Lu}/u.test(key))
}

function innerType(type: string): string {
  const inner = /^(?:Nullable|LowCardinality|SimpleAggregateFunction)\((?:\w+, )?(.*)\)$/.exec(type)?.[1]
  return inner === undefined ? type : innerType(inner)
}

function numberColumn(name: string, position: number, cells: readonly Cell[], whole: boolean): NumberColumn {
  const unit = namedUnit(name)
  const values = Float64Array.from(cells, cell => numeric(cell))
  return {
    name,
    position,
    values,
    fraction: values.every(value => !(Math.abs(value) > 1.000001)),
    texts: cells.map(cell => (cell === null ? '' : String(cell))),
    whole,
    words: name
      .replace(/([a-z])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(word => word !== ''),
    key: false,
    ...(unit && { unit }),
  }
}

function isKey(column: NumberColumn, rows: number): boolean {
  if (!KEY_NAME.test(column.words.join('_'))) return false
  return rows > 0 && column.values.every(value => Number.isInteger(value))
}

function timeColumn(name: string, position: number, cells: readonly Cell[], zone: string, days: boolean): TimeColumn {
  const values = Float64Array.from(cells, cell =>
    typeof cell === 'string' ? Date.parse(`${cell.replace(' ', 'T')}${cell.includes(':') ? 'Z' : ''}`) : Number.NaN,
  )
  const dated = days || values.every(value => Number.isNaN(value) || value % 86_400_000 === 0)
  const months = dated && values.every(value => Number.isNaN(value) || new Date(value).getUTCDate() === 1)
  return { name, position, values, zone, days: dated, months }
}

function numeric(cell: Cell): number {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'string' && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell)) return Number(cell)
  return Number.NaN
}

function flatten(cell: Cell): (string | number | boolean | null)[] {
  if (cell === null || typeof cell !== 'object') return [cell]
  return Object.values(cell).flatMap((value: Cell) => flatten(value))
}
