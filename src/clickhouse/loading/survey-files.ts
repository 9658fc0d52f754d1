import { z } from 'zod'
import { WarehouseError } from '../../warehouse/error.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import { onOneLine, sqlLiteral } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier } from '../../warehouse/sql/quote-identifier.ts'
import type { Cell, Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { type FileFormat, isTextTable } from './data-file.ts'
import { LoadError } from './error.ts'
import { faultyRow, fileFault, isNameTwice } from './file-fault.ts'

export interface FileColumn {
  readonly name: string
  /** The column's type in the new table. It is Nullable only if the files lack some of its values. */
  readonly type: string
  /**
   * Set if the column stays text, although all its values look like numbers (`1.234,50`) or dates (`01.02.2025`) in a regional
   * format.
   */
  readonly textOf?: 'number' | 'date'
}

/** Facts about the files that become one table. */
export interface FileSurvey {
  readonly columns: readonly FileColumn[]
  readonly rows: number
  readonly firstRow: readonly Cell[]
  /** Warnings for the person, shown before the table is created. Each is a whole sentence. */
  readonly notes: readonly string[]
  /** The SELECT that reads the files, without a semicolon. */
  readonly select: string
}

export interface SurveyOptions {
  /** The name of the files in messages. */
  readonly name: string
  /** The argument of the engine's table function `file()`: a path, or a pattern of paths. */
  readonly pattern: string
  readonly format: FileFormat
}

type Settings = Readonly<Record<string, string>>
type Read = (sql: string, settings: Settings) => Promise<readonly Readonly<Record<string, Cell>>[]>

const WHOLE_FILE = {
  input_format_max_rows_to_read_for_schema_inference: '1000000000000',
  input_format_max_bytes_to_read_for_schema_inference: '1000000000000000',
  // The objects in a JSON column may differ from line to line, so no single type fits them. With 0, they stay text.
  input_format_json_try_infer_named_tuples_from_objects: '0',
} as const
/** Settings with which the engine reads every value as text and infers no types. */
const UNTYPED = {
  input_format_csv_use_best_effort_in_schema_inference: '0',
  input_format_tsv_use_best_effort_in_schema_inference: '0',
}
const DELIMITERS = [',', ';', '\t', '|'] as const
const NUMBER = /^Nullable\((?:U?Int|Float)\d+\)$/
/** Matches numbers in a regional format: `1.234,50`, `1 234`, `1,234.50` and `12,5`. The engine does not read them as numbers. */
const FOREIGN_NUMBER = "^[-+]?([0-9]{1,3}([.,' ][0-9]{3})+([.,][0-9]+)?|[0-9]+,[0-9]+)$"
/** Matches dates in a regional format: `01.02.2025`, `1/2/25`. The engine does not read them as dates. */
const FOREIGN_DATE = '^[0-9]{1,2}([./-])[0-9]{1,2}[./-]([0-9]{4}|[0-9]{2})$'
/** Matches the beginning of a text that would be lost in a number: the zeros of `00501`, or the plus sign of `+4930`. */
const NUMBER_AS_TEXT = '^([+]|-?0[0-9])'
/** Matches numbers and dates that the engine reads by itself. */
const PLAIN_VALUE = '^([-+]?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].*)?)$'
const IN_ORDER: Settings = { max_threads: '1', input_format_parallel_parsing: '0' }

/**
 * Reads files to find their columns. The engine infers names and types from the first rows, and then reads all rows. If some rows
 * do not fit these types, it infers the types again from all rows.
 * @throws LoadError for broken files
 * @throws WarehouseError if the engine is unreachable
 */
export async function surveyFiles(
  warehouse: Pick<Warehouse, 'readOwn'>,
  { name, pattern, format }: SurveyOptions,
  signal: AbortSignal,
): Promise<FileSurvey> {
  const read: Read = (sql, settings) => {
    const set = Object.entries({ print_pretty_type_names: '0', ...settings }).map(
      ([key, value]) => `${key} = ${sqlLiteral(value)}`,
    )
    const query = { sql: `${sql} SETTINGS ${set.join(', ')}`, timeoutMs: SERVER_LIMITS.load.timeMs }
    const own = { read: warehouse.readOwn.bind(warehouse) }
    return readRows(own, query, z.record(z.string(), z.custom<Cell>()), signal)
  }
  const files = new Files(read, pattern, format)
  try {
    return await files.survey(name)
  } catch (error) {
    if (!(error instanceof WarehouseError) || !['query', 'type', 'unknown_name'].includes(error.kind)) throw error
    const fault = (await files.locate(signal)) ?? error
    const row = faultyRow(fault)
    throw (await files.brokenLine(name)) ?? fileFault(name, fault, row && (await files.lineOf(row)))
  }
}

class Files {
  readonly #read: Read
  readonly #pattern: string
  readonly #format: FileFormat
  /** `union` combines the columns of several files by name. */
  #settings: Settings = { schema_inference_mode: 'union' }

  constructor(read: Read, pattern: string, format: FileFormat) {
    this.#read = read
    this.#pattern = pattern
    this.#format = format
  }

  async survey(name: string): Promise<FileSurvey> {
    let columns = await this.#inferred()
    const notes = this.#isText ? await this.#notesOnHeader(columns) : []
    checkNames(name, columns)
    let counts = await this.#counted(columns).catch(() => undefined)
    if (counts === undefined) {
      columns = await this.#describe(WHOLE_FILE)
      counts = await this.#counted(columns)
    }
    const { rows, nulls, notText, lines } = counts
    if (rows === 0) throw new LoadError(`${name} has no rows.`)
    const broken = columns.find((_, index) => notText[index])
    if (broken !== undefined) throw notUtf8(name, broken.name)
    const swallowed = columns.find((_, index) => lines[index])
    if (swallowed !== undefined && (await this.#hasOpenQuote()))
      throw new LoadError(
        `${name} cannot be loaded: a quote in its column ${swallowed.name} is not closed and swallows the rows behind it. Close it, or double it within a value ("").`,
      )
    const texts = await this.#textsOf(columns)
    const kept = await this.#keptAsText(columns)
    const typed = columns.map(column => (kept.has(column.name) ? { ...column, type: 'Nullable(String)' } : column))
    const names = typed.map(column => quoteIdentifier(column.name)).join(', ')
    const select = `SELECT ${names} FROM ${this.#source(typed)}`
    const [firstRow = {}] = await this.#read(`${select} LIMIT 1`, this.#settings)
    const settings = Object.entries({ ...this.#settings, insert_null_as_default: '0' })
    return {
      columns: typed.map(({ name: column, type }, index) => ({
        name: column,
        type: nulls[index] ? type : type.replace(/^Nullable\((.*)\)$/s, '$1'),
        ...textOf(texts.get(column)),
      })),
      rows,
      firstRow: typed.map(column => firstRow[column.name] ?? null),
      notes: [...notes, ...keptNote([...kept]), ...textNotes(texts), ...(await this.#notesOnMixed(columns))],
      select: `${select} SETTINGS ${settings.map(([key, value]) => `${key} = ${sqlLiteral(value)}`).join(', ')}`,
    }
  }

  /**
   * Finds a row with more or fewer values than the header. Returns an error with the row's number, or undefined if there is none.
   */
  async locate(signal: AbortSignal): Promise<WarehouseError | undefined> {
    if (!this.#isText) return undefined
    try {
      const columns = await this.#describe({ ...UNTYPED, input_format_max_rows_to_read_for_schema_inference: '1' })
      await this.#counted(columns)
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      return error instanceof WarehouseError && faultyRow(error) !== undefined ? error : undefined
    }
  }

  /** Returns an error for the first invalid line of a file with one JSON object per line, or undefined if there is none. */
  async brokenLine(name: string): Promise<LoadError | undefined> {
    if (this.#format !== 'JSONEachRow') return undefined
    const lines = `SELECT rowNumberInAllBlocks() + 1 AS number, line FROM file(${sqlLiteral(this.#pattern)}, LineAsString)`
    const broken = `SELECT number, line FROM (${lines}) WHERE NOT isValidJSON(line) AND match(line, '[^ \t\r]') ORDER BY number LIMIT 1`
    const [row] = await this.#read(broken, IN_ORDER).catch(() => [])
    const line = String(row?.line ?? '').trim()
    // A JSON object may span several lines. So a line that looks like a part of an object is not reported.
    if (row === undefined || /^(?:[{[]|\[\s*\{|"[^"]*"\s*:.*|[}\]],?)$/.test(line)) return undefined
    const start = onOneLine(line, SERVER_LIMITS.load.shownCharacters)
    return new LoadError(
      `${name} cannot be loaded: line ${row.number} is not valid JSON (${start}). Correct the line or take it out.`,
    )
  }

  /** Whether a quote in a CSV file is opened but not closed. A valid file has an even number of quotes. */
  async #hasOpenQuote(): Promise<boolean> {
    const sql = `SELECT sum(countSubstrings(line, '"')) % 2 AS odd FROM file(${sqlLiteral(this.#pattern)}, LineAsString)`
    const [row] = await this.#read(sql, {})
    return Number(row?.odd) === 1
  }

  /**
   * Finds text columns that have only numbers, or only dates, in a format that the engine does not read. Returns an example value
   * for each.
   */
  async #textsOf(columns: readonly FileColumn[]): Promise<ReadonlyMap<string, TextColumn>> {
    const texts = columns.filter(({ type }) => type === 'Nullable(String)')
    if (!this.#isText || texts.length === 0) return new Map()
    const found = texts.map(({ name }) => {
      const value = `trim(ifNull(${quoteIdentifier(name)}, ''))`
      const all = (pattern: string) => `countIf(match(${value}, ${sqlLiteral(pattern)})) = countIf(${value} != '')`
      const kind = `multiIf(countIf(${value} != '') = 0, '', ${all(FOREIGN_NUMBER)}, 'number', ${all(FOREIGN_DATE)}, 'date', '')`
      return `(${kind}, anyIf(${value}, ${value} != ''))`
    })
    const [row] = await this.#read(`SELECT [${found.join(', ')}] AS found FROM ${this.#source(columns)}`, this.#settings)
    const kinds = z.array(z.tuple([z.enum(['', 'number', 'date']), z.string()])).parse(row?.found)
    return new Map(
      texts.flatMap(({ name }, index) => {
        const [textOf, example] = kinds[index] ?? ['', '']
        return textOf === '' ? [] : [[name, { textOf, example }] as const]
      }),
    )
  }

  /** Tells for a text column, most of whose values are numbers or dates, where the first other value stands. */
  async #notesOnMixed(columns: readonly FileColumn[]): Promise<readonly string[]> {
    const texts = columns.filter(({ type }) => type === 'Nullable(String)')
    if (!this.#isText || texts.length === 0) return []
    const found = texts.map(({ name }) => {
      const value = `trim(ifNull(${quoteIdentifier(name)}, ''))`
      const isOther = `${value} != '' AND NOT match(${value}, ${sqlLiteral(PLAIN_VALUE)})`
      const isMixed = `countIf(${isOther}) BETWEEN 1 AND countIf(match(${value}, ${sqlLiteral(PLAIN_VALUE)})) - 1`
      return `(if(${isMixed}, countIf(${isOther}), 0), minIf(clew_row, ${isOther}), argMinIf(${value}, clew_row, ${isOther}))`
    })
    const rows = `SELECT *, rowNumberInAllBlocks() + 1 AS clew_row FROM ${this.#source(columns)}`
    const [row] = await this.#read(`SELECT [${found.join(', ')}] AS found FROM (${rows})`, { ...this.#settings, ...IN_ORDER })
    const mixed = z.array(z.tuple([z.coerce.number(), z.coerce.number(), z.string()])).parse(row?.found)
    const notes = texts.map(async ({ name }, index) => {
      const [count = 0, first = 0, example = ''] = mixed[index] ?? []
      if (count === 0) return []
      const place = `line ${await this.lineOf(first)}: ${onOneLine(example, SERVER_LIMITS.load.shownCharacters)}`
      return [
        `${name} is text because of ${count === 1 ? place : `${count.toLocaleString('en')} values, the first in ${place}`}.`,
      ]
    })
    return (await Promise.all(notes)).flat()
  }

  /** Returns the line of a text file in which a row begins. The first line holds the names. A quoted value may go over several lines. */
  async lineOf(row: number): Promise<number> {
    const opened = `countMatches(line, '(^|[,;\t|])"') - countMatches(line, '"([,;\t|]|\r?$)')`
    const open = this.#format === 'CSVWithNames' ? opened : '0'
    const lines = `SELECT rowNumberInAllBlocks() + 1 AS number, toInt64(${open}) AS open FROM file(${sqlLiteral(this.#pattern)}, LineAsString)`
    const sql = `SELECT number FROM (SELECT number, sum(open) OVER (ORDER BY number) - open AS before FROM (${lines}))
      WHERE before <= 0 ORDER BY number LIMIT 1 OFFSET ${row}`
    const [found] = await this.#read(sql, IN_ORDER)
    return Number(found?.number ?? row + 1)
  }

  get #isText(): boolean {
    return isTextTable(this.#format)
  }

  /** Infers names and types from the first rows. If a CSV file seems to have a single column, tries other delimiters. */
  async #inferred(): Promise<readonly FileColumn[]> {
    const first = await this.#describe({}).catch((error: unknown) => error)
    if (Array.isArray(first) && (first.length > 1 || this.#format !== 'CSVWithNames')) return first
    const settings = this.#settings
    for (const delimiter of this.#format === 'CSVWithNames' ? DELIMITERS.slice(1) : []) {
      this.#settings = { ...settings, format_csv_delimiter: delimiter }
      const columns = await this.#describe({}).catch((error: unknown) => {
        if (isNameTwice(error)) throw error
        return []
      })
      if (columns.length > 1) return columns
    }
    this.#settings = settings
    return Array.isArray(first) ? first : this.#describe(WHOLE_FILE)
  }

  async #describe(settings: Settings): Promise<readonly FileColumn[]> {
    return this.#columnsOf(this.#format, settings)
  }

  async #columnsOf(format: string, settings: Settings): Promise<readonly FileColumn[]> {
    const described = await this.#read(`DESCRIBE TABLE file(${sqlLiteral(this.#pattern)}, ${format})`, {
      ...this.#settings,
      ...settings,
    })
    // A column without any value in the first rows has an unknown type. It becomes text, which can hold any later value.
    return described.map(({ name, type }) => ({ name: String(name), type: String(type).replaceAll('Nothing', 'String') }))
  }

  #source(columns: readonly FileColumn[]): string {
    const structure = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ')
    return `file(${sqlLiteral(this.#pattern)}, ${this.#format}, ${sqlLiteral(structure)})`
  }

  /**
   * Reads all rows and counts them. Finds for each column whether a value is missing, a text is not UTF-8, or a value has a line
   * break.
   */
  async #counted(columns: readonly FileColumn[]) {
    const each = (test: (name: string, type: string) => string) =>
      `[${columns.map(({ name, type }) => test(quoteIdentifier(name), type)).join(', ')}]`
    const isNull = each(name => `countIf(isNull(${name})) > 0`)
    const isBroken = each((name, type) =>
      type === 'Nullable(String)' && this.#format !== 'Parquet' ? `countIf(NOT isValidUTF8(ifNull(${name}, ''))) > 0` : '0',
    )
    const hasLines = each((name, type) =>
      type === 'Nullable(String)' && this.#format === 'CSVWithNames'
        ? `countIf(position(ifNull(${name}, ''), '\\n') > 0) > 0`
        : '0',
    )
    const sql = `SELECT count() AS rows, ${isNull} AS nulls, ${isBroken} AS broken, ${hasLines} AS lines FROM ${this.#source(columns)}`
    const [row] = await this.#read(sql, this.#settings)
    const flags = z.array(z.coerce.number()).transform(values => values.map(value => value > 0))
    return {
      rows: Number(row?.rows),
      nulls: flags.parse(row?.nulls),
      notText: flags.parse(row?.broken),
      lines: flags.parse(row?.lines),
    }
  }

  /**
   * Returns the columns of digits that must stay text, such as postal codes and telephone numbers. As numbers, they would lose
   * zeros or plus signs at the beginning.
   */
  async #keptAsText(columns: readonly FileColumn[]): Promise<ReadonlySet<string>> {
    const numbers = columns.filter(({ type }) => NUMBER.test(type))
    if (!this.#isText || numbers.length === 0) return new Set()
    const untyped = columns.map(column => ({ ...column, type: 'Nullable(String)' }))
    const found = numbers.map(({ name }) => `countIf(match(ifNull(${quoteIdentifier(name)}, ''), '${NUMBER_AS_TEXT}')) > 0`)
    const [row] = await this.#read(`SELECT [${found.join(', ')}] AS found FROM ${this.#source(untyped)}`, this.#settings)
    const flags = z.array(z.coerce.number()).parse(row?.found)
    return new Set(numbers.filter((_, index) => flags[index]).map(({ name }) => name))
  }

  /**
   * Warns if the first line seems to contain values instead of column names. Reads this line as values: if all of them are text,
   * they may well be names, and there is no warning.
   */
  async #notesOnHeader(columns: readonly FileColumn[]): Promise<readonly string[]> {
    const settings = {
      input_format_csv_detect_header: '0',
      input_format_tsv_detect_header: '0',
      schema_inference_mode: 'default',
    }
    const values = await this.#columnsOf(this.#format.replace('WithNames', ''), settings)
    if (values.length > columns.length)
      return ['The first line names fewer columns than there are: what has no name is left out.']
    if (values.every(({ type }) => type === 'Nullable(String)')) return []
    return [
      'Some of the first line looks like values. If it does not hold the names of the columns, put a line above it that does.',
    ]
  }
}

function textOf(text: TextColumn | undefined): Pick<FileColumn, 'textOf'> {
  return text === undefined ? {} : { textOf: text.textOf }
}

function keptNote(names: readonly string[]): readonly string[] {
  if (names.length === 0) return []
  return [`Values that begin with 0 or + stay text, so that nothing of them is lost: ${names.join(', ')}.`]
}

interface TextColumn {
  readonly textOf: 'number' | 'date'
  readonly example: string
}

function textNotes(texts: ReadonlyMap<string, TextColumn>): readonly string[] {
  return [...texts].map(([column, { textOf, example }]) => {
    const shown = onOneLine(example, SERVER_LIMITS.load.shownCharacters)
    const written = textOf === 'number' ? 'numbers as 1234.50' : 'dates as 2025-02-01'
    return `${column} has ${textOf}s such as ${shown}, which stay text. Write ${written} in the file, or say in --comments how they are written.`
  })
}

/**
 * Checks the names of columns.
 * @throws LoadError for a name that is empty or has unreadable characters
 */
function checkNames(file: string, columns: readonly FileColumn[]): void {
  const wrong = columns.find(({ name }) => name.trim() === '' || /\p{Cc}|\ufffd/u.test(name))
  if (wrong === undefined) return
  if (wrong.name.includes('\ufffd')) throw notUtf8(file, wrong.name)
  throw new LoadError(
    `${file} cannot be loaded: the name of its column ${columns.indexOf(wrong) + 1} is empty or has characters that cannot be shown.`,
  )
}

function notUtf8(file: string, column: string): LoadError {
  return new LoadError(`${file} is not in UTF-8 (column ${column}): convert it, for example with iconv -f WINDOWS-1252 -t UTF-8.`)
}
