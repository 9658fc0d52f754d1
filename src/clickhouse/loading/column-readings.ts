import { z } from 'zod'
import { onOneLine, sqlLiteral } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier } from '../../warehouse/sql/quote-identifier.ts'
import { SERVER_LIMITS } from '../limits.ts'
import {
  CONVENTIONS,
  type Convention,
  DATE_YEARS,
  DIGIT_GROUPS,
  REGIONAL_DATE,
  REGIONAL_NUMBER,
  type RegionalKind,
} from './regional-values.ts'

/** The number of a row in SQL. No column has a name with a line break. */
export const ROW = quoteIdentifier('\nrow')

const TEXT = 'Nullable(String)'
const FLOAT = 'Nullable(Float64)'
const NUMBER = /^Nullable\((?:U?Int|Float)\d+\)$/
const DATE = /^Nullable\(Date/
/** Matches numbers that the engine reads by itself. */
const PLAIN_NUMBER = '[-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?'
/** Matches numbers and dates that the engine reads by itself. */
const PLAIN_VALUE = `^(${PLAIN_NUMBER}|[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?)$`
/** Matches the beginning of a text that would be lost in a number: the zeros of `00501`, or the plus sign of `+4930`. */
const NUMBER_AS_TEXT = '^([+]|-?0[0-9])'
/** Matches numbers whose point may stand between thousands. */
const POINT_OR_THOUSANDS = '^[-+]?([0-9]+|[1-9][0-9]{0,2}[.][0-9]{3})$'

/** A column as the engine reads it. */
interface EngineColumn {
  readonly name: string
  readonly type: string
}

/** The way in which a column is loaded. */
export interface ColumnReading extends Pick<ColumnSql, 'sql' | 'names'> {
  readonly name: string
  /** The type with which the engine reads the file. */
  readonly fileType: string
  /** The Nullable type of the values that `sql` makes of it. */
  readonly type: string
  /** Whether `sql` makes NULL of blank texts. */
  readonly hasBlanks?: boolean
  /** Set if the column stays text, although all its values look like numbers or dates of some region. */
  readonly textOf?: RegionalKind
  /** A sentence for the person about this column. */
  readonly note?: string
  /** The beginning of a sentence for the person that lists all columns with the same beginning. */
  readonly listedAs?: string
}

/** SQL about the values of one column, and the expressions with names of their own that it uses (`… AS name`). */
export interface ColumnSql {
  readonly column: string
  readonly sql: string
  readonly names: readonly string[]
}

/** The rows of a text file, with every value as text. */
export interface TextRows {
  readonly delimiter: string
  /** Returns the values of expressions that aggregate all rows. In order, they may use ROW. */
  aggregate(expressions: readonly ColumnSql[], order: 'in order' | 'in any order'): Promise<readonly unknown[]>
  /** Returns the line in which a row begins. */
  lineOf(row: number): Promise<number>
}

/**
 * The look of all values of a column. `plain`: the engine reads them right. `text`: the engine reads them as text, or would guess
 * the order of day and month in some. `kept`: numbers that would lose zeros or plus signs at their beginning. `number` and `date`:
 * those of some region.
 */
const lookSchema = z.enum(['plain', 'text', 'kept', 'number', 'date'])

/** Values that do not fit: how many, the row of the first, and the first. */
const misfitsSchema = z.tuple([z.coerce.number(), z.coerce.number(), z.string()])
type Misfits = z.infer<typeof misfitsSchema>
const NO_MISFITS: Misfits = [0, 0, '']

/** For each convention the position of the type that holds all values, from 1, or 0; and the values that no type holds. */
const fitsSchema = z.array(z.tuple([z.coerce.number(), misfitsSchema]))
/** For each two conventions the first value that they read differently, with both readings. */
const meaningsSchema = z.array(z.tuple([z.string(), z.string(), z.string()]))
const findingSchema = z.tuple([z.string(), z.coerce.number(), z.coerce.number(), fitsSchema, meaningsSchema])

/** Facts about all values of a column of regional numbers or dates. */
interface Finding {
  readonly kind: RegionalKind
  readonly example: string
  readonly hasBlanks: boolean
  /** Whether all values are groups of digits alone. */
  readonly areGroups: boolean
  /** The conventions that read all values, each with the narrowest type that holds them. */
  readonly fits: readonly (Pick<ColumnSql, 'sql' | 'names'> & Pick<Convention, 'form' | 'decimal'> & { readonly type: string })[]
  /** The convention that reads the most values, and the other values. */
  readonly nearest: { readonly form: string; readonly misfits: Misfits }
  /** A value that two fitting conventions read differently. */
  readonly ambiguous?: readonly [value: string, one: string, other: string]
}

const KEPT = 'Values that begin with 0 or + stay text, so that nothing of them is lost'

/** Returns the reading of a column that the engine reads right. */
export function asItIs({ name, type }: EngineColumn): ColumnReading {
  return { name, fileType: type, type, sql: quoteIdentifier(name), names: [] }
}

/**
 * Decides from all values how the columns of a text file are loaded. Numbers and dates of some region are read where they have
 * only one meaning. Otherwise they stay text, and a note says why.
 */
export async function readColumns(columns: readonly EngineColumn[], rows: TextRows): Promise<readonly ColumnReading[]> {
  const found = z.array(lookSchema).parse(await rows.aggregate(columns.map(lookSql), 'in any order'))
  const looks = new Map(columns.map((column, index) => [column, found[index]]))
  const findings = await findingsOf(columns, looks, rows)
  const notes = await mixedNotes(
    columns.filter(column => looks.get(column) === 'text'),
    rows,
  )
  const decimals = [...findings.values()].flatMap(({ fits: [fit, second] }) => (second === undefined ? (fit?.decimal ?? []) : []))
  const hasPoint = decimals.includes('.') || columns.some(column => column.type === FLOAT && looks.get(column) === 'plain')
  const isPointSure = !decimals.includes(',') && (hasPoint || rows.delimiter !== ';')
  return Promise.all(
    columns.map(column => {
      const finding = findings.get(column)
      if (finding !== undefined) return regionalReading(column, finding, isPointSure, rows)
      if (looks.get(column) === 'plain') return asItIs(column)
      const note = notes.get(column)
      const told = looks.get(column) === 'kept' ? { listedAs: KEPT } : note === undefined ? {} : { note }
      return { ...asItIs({ ...column, type: TEXT }), ...told }
    }),
  )
}

/** Returns the sentences about the columns for the person. */
export function notesOf(readings: readonly ColumnReading[]): readonly string[] {
  const lists = new Map<string, string[]>()
  for (const { name, listedAs } of readings)
    if (listedAs !== undefined) lists.set(listedAs, [...(lists.get(listedAs) ?? []), name])
  const listed = [...lists].map(([beginning, names]) => `${beginning}: ${names.join(', ')}.`)
  return [...listed, ...readings.flatMap(({ note }) => note ?? [])]
}

/** Returns the name in SQL of the column's trimmed text, and the expression that it names. */
function textSql({ name }: EngineColumn): { readonly text: string; readonly names: readonly [string] } {
  const text = quoteIdentifier(`${name}\ntext`)
  return { text, names: [`trim(ifNull(${quoteIdentifier(name)}, '')) AS ${text}`] }
}

function lookSql(column: EngineColumn): ColumnSql {
  const { text, names } = textSql(column)
  const count = (pattern: string) => `countIf(match(${text}, ${sqlLiteral(pattern)}))`
  const any = (pattern: string) => `${count(pattern)} > 0`
  const all = (pattern: string) => `${count(pattern)} = countIf(${text} != '')`
  const arms = () => {
    if (column.type === TEXT) {
      const isNumber = `${all(REGIONAL_NUMBER)} AND NOT ${all(`^${PLAIN_NUMBER}$`)}`
      const isDate = `${any(REGIONAL_DATE)} AND ${all(REGIONAL_DATE)}`
      return `${isNumber}, if(${any(NUMBER_AS_TEXT)}, 'kept', 'number'), ${isDate}, 'date', 'text'`
    }
    if (NUMBER.test(column.type))
      return `${any(NUMBER_AS_TEXT)}, 'kept', ${any('[.]')} AND ${all(POINT_OR_THOUSANDS)}, 'number', 'plain'`
    if (DATE.test(column.type)) return `NOT ${any(REGIONAL_DATE)}, 'plain', ${all(REGIONAL_DATE)}, 'date', 'text'`
    return `count() >= 0, 'plain', 'plain'`
  }
  return { column: column.name, sql: `multiIf(${arms()})`, names }
}

/** Returns the conventions of a kind with the SQL of their types. */
function typedConventions(column: EngineColumn, kind: RegionalKind) {
  const { text, names } = textSql(column)
  return CONVENTIONS[kind].map(convention => {
    const reading = quoteIdentifier(`${column.name}\n${convention.form}`)
    const types = convention.types(reading, text)
    return { ...convention, types, names: [...names, `${convention.reading(text)} AS ${reading}`] }
  })
}

async function findingsOf(
  columns: readonly EngineColumn[],
  looks: ReadonlyMap<EngineColumn, z.infer<typeof lookSchema> | undefined>,
  rows: TextRows,
): Promise<ReadonlyMap<EngineColumn, Finding>> {
  const regional = columns.flatMap(column => {
    const kind = looks.get(column)
    return kind === 'number' || kind === 'date' ? [{ column, kind }] : []
  })
  const expressions = regional.map(({ column, kind }) => findingSql(column, kind))
  const answers = await rows.aggregate(expressions, 'in order')
  return new Map(regional.map(({ column, kind }, index) => [column, findingOf(column, kind, answers[index])]))
}

function findingSql(column: EngineColumn, kind: RegionalKind): ColumnSql {
  const { text } = textSql(column)
  const isFilled = `${text} != ''`
  const conventions = typedConventions(column, kind)
  const fits = conventions.map(({ types }) => {
    const isMisfit = (sql = '') => `${isFilled} AND isNull(${sql})`
    const positions = types.map(([, sql], index) => `countIf(${isMisfit(sql)}) = 0, ${index + 1}`)
    return `(multiIf(${positions.join(', ')}, 0), ${misfitsSql(text, isMisfit(types.at(-1)?.[1]))})`
  })
  const meaning = (sql: string) => `splitByChar(' ', ifNull(toString(${sql}), ''))[1]`
  const meanings = pairsOf(conventions.map(({ types }) => types.at(-1)?.[1] ?? '')).map(
    ([one, other]) => `argMinIf((${text}, ${meaning(one)}, ${meaning(other)}), ${ROW}, ifNull(${one} != ${other}, 0))`,
  )
  const areGroups = `countIf(match(${text}, ${sqlLiteral(DIGIT_GROUPS)})) = countIf(${isFilled})`
  const facts = [`argMinIf(${text}, ${ROW}, ${isFilled})`, `countIf(NOT ${isFilled}) > 0`, areGroups]
  const sql = `(${facts.join(', ')}, [${fits.join(', ')}], [${meanings.join(', ')}])`
  return { column: column.name, sql, names: [...new Set(conventions.flatMap(({ names }) => names))] }
}

function findingOf(column: EngineColumn, kind: RegionalKind, answer: unknown): Finding {
  const [example, blanks, groups, found, meanings] = findingSchema.parse(answer)
  const judged = typedConventions(column, kind).map(({ types, ...convention }, index) => {
    const [position = 0, misfits = NO_MISFITS] = found[index] ?? []
    const type = types[position - 1]
    return { form: convention.form, misfits, fit: type && { ...convention, type: type[0], sql: type[1] } }
  })
  const fits = judged.flatMap(({ fit }) => fit ?? [])
  const pair = pairsOf(judged).findIndex(([one, other]) => one.fit !== undefined && other.fit !== undefined)
  const meaning = meanings[pair]
  const nearest = judged.reduce((best, each) => (each.misfits[0] < best.misfits[0] ? each : best))
  const ambiguous = meaning?.[0] === '' ? undefined : meaning
  return { kind, example, hasBlanks: blanks > 0, areGroups: groups > 0, fits, nearest, ...(ambiguous && { ambiguous }) }
}

async function regionalReading(
  column: EngineColumn,
  finding: Finding,
  isPointSure: boolean,
  rows: TextRows,
): Promise<ColumnReading> {
  const { kind, fits, ambiguous, areGroups, hasBlanks } = finding
  const text = asItIs({ ...column, type: TEXT })
  const [fit] = fits
  if (fit !== undefined && ambiguous === undefined && !areGroups) {
    const { form, type, sql, names } = fit
    // Without this check, a value that comes into the file after it was read would become NULL.
    const isRead = `throwIf(${textSql(column).text} != '' AND isNull(${sql}), 'the file has changed since it was read') = 0`
    return {
      ...text,
      type: `Nullable(${type})`,
      sql: `if(${isRead}, ${sql}, NULL)`,
      names,
      hasBlanks,
      listedAs: readAs(kind, form),
    }
  }
  const point = fits.find(({ decimal }) => decimal === '.')
  if (column.type === FLOAT && isPointSure && point !== undefined)
    return { ...asItIs(column), listedAs: readAs(kind, point.form) }
  return { ...text, textOf: kind, note: await stayingNote(column, finding, rows) }
}

function readAs(kind: RegionalKind, form: string): string {
  return `Read as ${kind}s like ${form}`
}

async function stayingNote({ name }: EngineColumn, { kind, ...finding }: Finding, rows: TextRows): Promise<string> {
  const { ambiguous, areGroups, nearest } = finding
  const reason = async () => {
    if (ambiguous !== undefined) return `: ${shown(ambiguous[0])} may mean ${ambiguous[1]} or ${ambiguous[2]}`
    if (areGroups) return ': they may be codes'
    const years = kind === 'date' ? ` from ${DATE_YEARS.join(' to ')}` : ''
    return ` because of ${await placeOf(nearest.misfits, rows)} is no ${kind} like ${nearest.form}${years}`
  }
  const written = kind === 'number' ? 'numbers as 1234.50' : 'dates as 2025-02-01'
  return `${name} has ${kind}s such as ${shown(finding.example)}, which stay text${await reason()}. Write ${written} in the file, or say in --comments how they are written.`
}

/** Tells for text columns, most of whose values are numbers or dates, where the first other value stands. */
async function mixedNotes(columns: readonly EngineColumn[], rows: TextRows): Promise<ReadonlyMap<EngineColumn, string>> {
  const patterns = [PLAIN_VALUE, REGIONAL_NUMBER, REGIONAL_DATE]
  const expressions = columns.map(column => {
    const { text, names } = textSql(column)
    const each = patterns.map(pattern => {
      const isMatch = `match(${text}, ${sqlLiteral(pattern)})`
      const isOther = `${text} != '' AND NOT ${isMatch}`
      return `if(countIf(${isOther}) < countIf(${isMatch}), ${misfitsSql(text, isOther)}, (0, 0, ''))`
    })
    return { column: column.name, sql: `[${each.join(', ')}]`, names }
  })
  const answers = z.array(z.array(misfitsSchema)).parse(await rows.aggregate(expressions, 'in order'))
  const notes = columns.map(async (column, index) => {
    const misfits = answers[index]?.find(([count]) => count > 0)
    return misfits === undefined ? [] : [[column, `${column.name} is text because of ${await placeOf(misfits, rows)}.`] as const]
  })
  return new Map((await Promise.all(notes)).flat())
}

function misfitsSql(text: string, isMisfit: string): string {
  return `(countIf(${isMisfit}), minIf(${ROW}, ${isMisfit}), argMinIf(${text}, ${ROW}, ${isMisfit}))`
}

async function placeOf([count, row, value]: Misfits, rows: TextRows): Promise<string> {
  const first = `line ${await rows.lineOf(row)}: ${shown(value)}`
  return count === 1 ? first : `${count.toLocaleString('en')} values, the first in ${first}`
}

function shown(value: string): string {
  return onOneLine(value, SERVER_LIMITS.load.shownCharacters)
}

function pairsOf<Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] {
  return items.flatMap((one, index) => items.slice(index + 1).map(other => [one, other] as const))
}
