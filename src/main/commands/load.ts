import { ConfigurationError } from '../../base/errors.ts'
import { readLine } from '../../bots/terminal/ask-at-terminal.ts'
import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { checkAlike } from '../../clickhouse/loading/check-alike.ts'
import { checkTableName, type DataFile, findDataFile, isTextTable, tableNameOf } from '../../clickhouse/loading/data-file.ts'
import { LoadError } from '../../clickhouse/loading/error.ts'
import { linkFiles } from '../../clickhouse/loading/linked-files.ts'
import { loadTable, tableExists } from '../../clickhouse/loading/load-table.ts'
import { type FileSurvey, surveyFiles } from '../../clickhouse/loading/survey-files.ts'
import { checkComments, NO_COMMENTS, readComments, type TableComments } from '../../clickhouse/loading/table-comments.ts'
import { embeddedDirectory } from '../../clickhouse/open-warehouse.ts'
import { privateColumnTest } from '../../warehouse/private-columns.ts'
import { hasParts } from '../../warehouse/sql/column-type.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import type { Cell, Warehouse } from '../../warehouse/warehouse.ts'
import { MAIN_LIMITS } from '../limits.ts'
import { LOCAL_FOLDER, wireWarehouse } from '../parts.ts'
import { openPrompt } from './ask.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

export interface LoadOptions {
  /** The table into which all files are loaded. Default: one table per file. */
  readonly as?: string
  readonly comments?: string
  readonly replace: boolean
  readonly yes: boolean
}

interface Batch {
  readonly table: string
  readonly files: readonly [DataFile, ...DataFile[]]
}

interface Surveyed extends Batch {
  readonly survey: FileSurvey
}

/**
 * `clew load FILE…`: loads files as tables into the folder of the embedded engine. Before that, shows a preview and asks for
 * consent.
 */
export async function loadCommand(context: CommandContext, names: readonly string[], options: LoadOptions): Promise<number> {
  const { config, signal } = context
  const [database = 'default'] = config.warehouse.databases
  const batches = batchesOf(await Promise.all(names.map(findDataFile)), options)
  const comments = options.comments === undefined ? NO_COMMENTS : await readComments(options.comments)
  const folder = targetFolder(context)
  const warehouse = await wireWarehouse(
    { ...context, config: { ...config, warehouse: { ...config.warehouse, url: `chdb:${folder}` } } },
    signal,
    { createsFolder: true },
  )
  for (const { table } of batches) {
    if (options.replace || !(await tableExists(warehouse, { database, name: table }, signal))) continue
    throw new ConfigurationError(
      `There is a table ${database}.${table} already: give another name with --as, or put the file in its place with --replace.`,
    )
  }
  const surveyed: Surveyed[] = []
  for (const batch of batches) {
    tell(context, `Reading ${fileNames(batch)} …`)
    const survey = await surveyBatch(warehouse, batch, context)
    if (options.comments !== undefined)
      checkComments(
        comments,
        survey.columns.map(({ name }) => name),
        options.comments,
      )
    surveyed.push({ ...batch, survey })
    context.output.write(`${previewOf(context, database, { ...batch, survey }, comments)}\n`)
  }
  if (!options.yes && !(await agreed(context, surveyed.length))) {
    tell(context, 'Nothing was loaded.')
    return EXIT.failed
  }
  for (const { table, survey } of surveyed) {
    await loadTable(warehouse, { database, name: table }, { survey, comments }, signal)
    context.output.write(`Loaded ${counted(survey.rows, 'row')} into ${database}.${table}.\n`)
  }
  if (config.warehouse.url === undefined)
    tell(context, `They are in ./${LOCAL_FOLDER}, where the other commands look while CLICKHOUSE_URL is not set.`)
  context.output.write('Now ask about it: clew ask "…"\n')
  return EXIT.answered
}

/**
 * Groups the files by table.
 * @throws ConfigurationError for options that do not fit the number of files
 */
function batchesOf(files: readonly DataFile[], options: LoadOptions): readonly Batch[] {
  const [first, ...others] = files
  if (first === undefined) throw new ConfigurationError('Name a file: clew load trips.parquet')
  if (options.as !== undefined) {
    const other = others.find(({ format }) => format !== first.format)
    if (other === undefined) return [{ table: checkTableName(options.as), files: [first, ...others] }]
    throw new ConfigurationError(`${first.name} and ${other.name} are of different kinds: one table takes files of one kind.`)
  }
  if (options.comments !== undefined && others.length > 0)
    throw new ConfigurationError('--comments is for one table: load its file alone, or name the table of all files with --as.')
  const batches = files.map(file => ({ table: tableNameOf(file), files: [file] as const }))
  const twice = batches.find(({ table }, index) => batches.findIndex(each => each.table === table) !== index)
  if (twice === undefined) return batches
  throw new ConfigurationError(
    `Two of the files would become the table ${twice.table}: load them one by one with --as, or both into one with --as.`,
  )
}

/**
 * Reads the columns and types of the files of one table. Text files are first read one by one, so that an error can name the
 * wrong file.
 * @throws LoadError
 */
async function surveyBatch(warehouse: Warehouse, batch: Batch, { resources, signal }: CommandContext): Promise<FileSurvey> {
  const [first, ...others] = batch.files
  const surveyOf = async (files: Batch['files'], name: string) => {
    const { pattern, remove } = await linkFiles(files)
    resources.add('links to files', undefined, remove)
    return { name, ...(await surveyFiles(warehouse, { name, pattern, format: first.format }, signal)) }
  }
  if (others.length === 0 || !isTextTable(first.format)) return surveyOf(batch.files, fileNames(batch))
  const alone = await surveyOf([first], first.name)
  for (const file of others) checkAlike(alone, await surveyOf([file], file.name))
  const together = await surveyOf(batch.files, fileNames(batch))
  if (together.columns.length === alone.columns.length) return together
  throw new LoadError(`${fileNames(batch)} do not have the same delimiter: load each into a table of its own.`)
}

/**
 * Returns the data folder of the embedded engine.
 * @throws ConfigurationError if CLICKHOUSE_URL names a server
 */
function targetFolder({ config }: CommandContext): string {
  const url = config.warehouse.url ?? `chdb:${LOCAL_FOLDER}`
  const folder = embeddedDirectory(url)
  if (folder !== undefined && folder !== 'memory') return folder
  throw new ConfigurationError(
    folder === 'memory'
      ? 'CLICKHOUSE_URL is chdb:memory, which lasts as long as one command: name a folder, such as chdb:./clew-data, or unset it.'
      : 'CLICKHOUSE_URL names a server, and clew load fills folders of the embedded engine only. Load into a server with ClickHouse\'s own client (clickhouse-client --query "INSERT INTO … FORMAT Parquet" < FILE), or name a folder: CLICKHOUSE_URL=chdb:./clew-data.',
  )
}

/** Shows a preview of a table: its columns with types, the first row, and comments. */
function previewOf({ config, output }: CommandContext, database: string, batch: Surveyed, comments: TableComments): string {
  const isPrivate = privateColumnTest(config.warehouse.privateColumns)
  const { table, survey } = batch
  const rows = survey.columns.map(({ name, type, textOf }, index) => {
    const value = isPrivate(database, table, name, hasParts(type)) ? 'private' : shownCell(survey.firstRow[index] ?? null)
    const shownType = textOf === undefined ? type : `${type} (${textOf}s as text)`
    return [name, shownType, value, comments.columns[name] ?? ''].map(terminalText)
  })
  const drawn = drawTable(
    { header: ['column', 'type', 'first row', 'comment'], rows, numeric: new Set(), whole: new Set([0]), hidesEmpty: true },
    viewOf(output).width,
  )
  const title = `${database}.${table} ← ${fileNames(batch)}: ${counted(survey.rows, 'row')}, ${counted(survey.columns.length, 'column')}`
  return ['', terminalText(title), drawn, ...survey.notes.map(terminalText)].join('\n')
}

function shownCell(cell: Cell): string {
  if (cell === null) return 'NULL'
  return cutCharacters(typeof cell === 'object' ? JSON.stringify(cell) : String(cell), MAIN_LIMITS.cellCharacters)
}

/**
 * Asks at the terminal whether to load the files.
 * @throws ConfigurationError without a terminal
 */
async function agreed(context: CommandContext, tables: number): Promise<boolean> {
  if (!(process.stdin.isTTY && context.errorOutput.isTTY))
    throw new ConfigurationError(
      'Nothing was loaded, because there is no terminal to ask at. Say --yes to load the tables above.',
    )
  const prompt = openPrompt(context)
  const line = await readLine(
    prompt,
    `Load ${tables === 1 ? 'this table' : `these ${tables} tables`}? [y/N] `,
    context.signal,
  ).finally(() => prompt.close())
  return /^\s*(?:y(?:es)?|ja?)\s*$/i.test(line ?? '')
}

function fileNames({ files }: Batch): string {
  const [first, ...others] = files
  return others.length === 0 ? first.name : `${first.name} and ${counted(others.length, 'more file')}`
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
