import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import { fileReason } from '../../base/file-reason.ts'
import { SERVER_LIMITS } from '../limits.ts'

/** The file formats that Clew loads, under ClickHouse's names. Files of all these formats contain the names of their columns. */
export type FileFormat = 'CSVWithNames' | 'TSVWithNames' | 'JSONEachRow' | 'Parquet'

/** Whether a file of this format is a text table: its first line has the column names, and each further line is a row. */
export function isTextTable(format: FileFormat): boolean {
  return format === 'CSVWithNames' || format === 'TSVWithNames'
}

/** An existing data file to load. */
export interface DataFile {
  /** The file's name as the person typed it, for messages. */
  readonly name: string
  /** The absolute path of the file. */
  readonly path: string
  readonly format: FileFormat
  /** The file extension, such as `.csv.gz`. It tells the engine how the file is compressed. */
  readonly ending: string
}

/** The file format for each extension, in lower case. */
const FORMATS: Readonly<Record<string, FileFormat>> = {
  csv: 'CSVWithNames',
  tsv: 'TSVWithNames',
  jsonl: 'JSONEachRow',
  ndjson: 'JSONEachRow',
  json: 'JSONEachRow',
  parquet: 'Parquet',
}
/**
 * Extensions of compressed files that the engine itself decompresses
 * (https://clickhouse.com/docs/sql-reference/table-functions/file).
 */
const COMPRESSION = 'gz|zst|bz2|xz|lz4|br'
const ENDING = new RegExp(`\\.(${Object.keys(FORMATS).join('|')})(?:\\.(?:${COMPRESSION}))?$`, 'i')

/**
 * Checks a file before it is loaded.
 * @throws ConfigurationError if the file is unreadable or empty, or has an unknown extension
 */
export async function findDataFile(name: string): Promise<DataFile> {
  const path = resolve(name)
  const { size } = await stat(path)
    .then(async found => {
      await access(path, constants.R_OK)
      if (found.isFile()) return found
      throw new ConfigurationError(`${name} cannot be loaded: it is not a file.`)
    })
    .catch((error: unknown) => {
      if (error instanceof ConfigurationError) throw error
      throw new ConfigurationError(`${name} cannot be read: ${fileReason(error)}.`, { cause: error })
    })
  if (/\.(?:xls[xmb]?|ods)$/i.test(path))
    throw new ConfigurationError(
      `${name} is a workbook: save its sheet as "CSV UTF-8" in the spreadsheet program, and load that.`,
    )
  const [ending, extension = ''] = ENDING.exec(basename(path)) ?? []
  const format = FORMATS[extension.toLowerCase()]
  if (ending === undefined || format === undefined) {
    const known = Object.keys(FORMATS).map(each => `.${each}`)
    throw new ConfigurationError(
      `${name} has none of the endings that tell what a file holds: ${known.join(', ')}, each also compressed (.gz, .zst, …).`,
    )
  }
  if (size === 0) throw new ConfigurationError(`${name} is empty.`)
  checkContent(name, ending.toLowerCase(), await firstBytes(path))
  return { name, path, format, ending: ending.toLowerCase() }
}

interface FileKind {
  readonly begins: (head: string) => boolean
  readonly kind: string
  /** Matches the file extensions of this kind of file. Undefined if Clew cannot load this kind at all. */
  readonly ending?: RegExp
  readonly wayOut: string
}

const isParquet = (head: string) => head.startsWith('PAR1')
const isJson = (head: string) => /^(?:\u00ef\u00bb\u00bf)?\s*[{[]/.test(head)

/** Kinds of files that Clew recognizes by their first bytes. */
const KINDS: readonly FileKind[] = [
  { begins: isParquet, kind: 'a Parquet file', ending: /\.parquet$/, wayOut: 'give it the ending .parquet' },
  { begins: head => head.startsWith('\x1f\x8b'), kind: 'compressed with gzip', ending: /\.gz$/, wayOut: 'add the ending .gz' },
  {
    begins: head => head.startsWith('\x28\xb5\x2f\xfd'),
    kind: 'compressed with zstd',
    ending: /\.zst$/,
    wayOut: 'add the ending .zst',
  },
  {
    begins: head => head.startsWith('PK\x03\x04'),
    kind: 'a ZIP archive or an Excel workbook',
    wayOut: 'unpack it, or save the sheet as CSV',
  },
  {
    begins: head => /^\s*(?:\{\s*"|\[\s*\{)/.test(head),
    kind: 'JSON',
    ending: /\.(?:jsonl|ndjson|json)$/,
    wayOut: 'give it the ending .jsonl',
  },
]
/** How a file with this extension must begin. The engine itself checks the content of compressed files. */
const PROMISES: Readonly<Record<string, Pick<FileKind, 'begins' | 'kind'>>> = {
  '.parquet': { begins: isParquet, kind: 'Parquet' },
  '.jsonl': { begins: isJson, kind: 'JSON lines' },
  '.ndjson': { begins: isJson, kind: 'JSON lines' },
  '.json': { begins: isJson, kind: 'JSON' },
}

/**
 * Checks the first bytes of a file.
 * @throws ConfigurationError if they contradict the extension, or begin a text in UTF-16
 */
function checkContent(name: string, ending: string, head: string): void {
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head))
    throw new ConfigurationError(`${name} is in UTF-16: convert it, for example with iconv -f UTF-16 -t UTF-8.`)
  const found = KINDS.find(({ begins }) => begins(head))
  if (found !== undefined && found.ending?.test(ending) !== true)
    throw new ConfigurationError(`${name} is ${found.kind}, though its name ends in ${ending}: ${found.wayOut}.`)
  const promised = PROMISES[ending]
  if (promised !== undefined && !promised.begins(head))
    throw new ConfigurationError(
      `${name} does not hold ${promised.kind}: give it the ending of its content (.csv, .tsv, .jsonl or .parquet).`,
    )
}

/** Returns the first bytes of a file as a string with one character per byte. */
async function firstBytes(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SERVER_LIMITS.load.headBytes), position: 0 })
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Returns a table name for a file: `2025 sales.csv` becomes `2025_sales`. Only letters and digits stay; `_` replaces everything
 * else.
 */
export function tableNameOf({ path, ending }: Pick<DataFile, 'path' | 'ending'>): string {
  const stem = basename(path).slice(0, -ending.length).normalize('NFC')
  const name = stem
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, SERVER_LIMITS.load.tableNameCharacters)
  return name === '' ? 'data' : name
}

/**
 * Checks a table name that a person chose.
 * @throws ConfigurationError for characters other than letters, digits and `_`, or a name that is too long
 */
export function checkTableName(name: string): string {
  if (/^[\p{L}\p{M}\p{N}_]+$/u.test(name) && name.length <= SERVER_LIMITS.load.tableNameCharacters) return name
  throw new ConfigurationError(
    `--as takes the name of a table: letters, digits and _, at most ${SERVER_LIMITS.load.tableNameCharacters}. The database is the first of CLICKHOUSE_DATABASE.`,
  )
}
