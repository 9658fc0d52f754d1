import { z } from 'zod'
import { WarehouseError } from '../../warehouse/error.ts'
import { readRows } from '../../warehouse/read-rows.ts'
import { onOneLine, sqlLiteral } from '../../warehouse/sql/plain-text.ts'
import { quoteIdentifier } from '../../warehouse/sql/quote-identifier.ts'
import type { Cell, Warehouse } from '../../warehouse/warehouse.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { asItIs, type ColumnSql, notesOf, ROW, readColumns, type TextRows } from './column-readings.ts'
import { type FileFormat, isTextTable } from './data-file.ts'
import { LoadError } from './error.ts'
import { faultyRow, fileFault, isNameTwice } from './file-fault.ts'
import type { RegionalKind } from './regional-values.ts'

export interface FileColumn {
  readonly name: string
  /** The column's type in the new table. It is Nullable only if the files lack some of its values. */
  readonly type: string
  /** Set if the column stays text, although all its values look like numbers or dates of some region. */
  readonly textOf?: RegionalKind
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
    const readings = this.#isText ? await readColumns(columns, this.#rows()) : columns.map(asItIs)
    const values = readings.map(({ name: column, sql }) => `${sql} AS ${quoteIdentifier(column)}`)
    const source = this.#source(readings.map(({ name: column, fileType }) => ({ name: column, type: fileType })))
    const select = `${withNames(readings)}SELECT ${values.join(', ')} FROM ${source}`
    const [firstRow = {}] = await this.#read(`${select} LIMIT 1`, this.#settings)
    const settings = Object.entries({ ...this.#settings, insert_null_as_default: '0' })
    return {
      columns: readings.map(({ name: column, type, hasBlanks, textOf }, index) => ({
        name: column,
        type: nulls[index] || hasBlanks ? type : type.replace(/^Nullable\((.*)\)$/s, '$1'),
        ...(textOf && { textOf }),
      })),
      rows,
      firstRow: readings.map(column => firstRow[column.name] ?? null),
      notes: [...notes, ...notesOf(readings)],
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

  #rows(): TextRows {
    return {
      delimiter: this.#settings.format_csv_delimiter ?? ',',
      aggregate: async (expressions, order) => {
        const isInOrder = order === 'in order'
        const settings = { ...this.#settings, input_format_skip_unknown_fields: '1', ...(isInOrder ? IN_ORDER : {}) }
        const values: unknown[] = []
        for (const slice of slicesOf(expressions)) {
          const source = this.#source(slice.map(({ column }) => ({ name: column, type: 'Nullable(String)' })))
          const rows = isInOrder ? `(SELECT *, rowNumberInAllBlocks() + 1 AS ${ROW} FROM ${source})` : source
          // No column has a name with a line break.
          const named = slice.map(({ sql }, index) => `${sql} AS ${quoteIdentifier(`\n${index}`)}`)
          const [row = {}] = await this.#read(`${withNames(slice)}SELECT ${named.join(', ')} FROM ${rows}`, settings)
          values.push(...slice.map((_, index) => row[`\n${index}`]))
        }
        return values
      },
      lineOf: row => this.lineOf(row),
    }
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

/** Splits expressions into queries that the engine plans quickly. */
function slicesOf(expressions: readonly ColumnSql[]): readonly (readonly ColumnSql[])[] {
  const slices: ColumnSql[][] = []
  let room = 0
  for (const expression of expressions) {
    const length = expression.sql.length + expression.names.join().length
    if (length > room) {
      slices.push([])
      room = SERVER_LIMITS.load.queryCharacters
    }
    slices.at(-1)?.push(expression)
    room -= length
  }
  return slices
}

function withNames(expressions: readonly Pick<ColumnSql, 'names'>[]): string {
  const names = expressions.flatMap(each => each.names)
  return names.length === 0 ? '' : `WITH ${names.join(', ')} `
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
  return new LoadError(
    `${file} is not in UTF-8 (column ${column}): save it as "CSV UTF-8", or convert it, for example with iconv -f WINDOWS-1252 -t UTF-8.`,
  )
}
