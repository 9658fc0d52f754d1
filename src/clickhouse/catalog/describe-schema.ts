import type { ColumnSchema, Schema, SchemaFocus, TableSchema } from '../schema.ts'
import { readColumnType } from './column-type.ts'
import { engineNote } from './engine-note.ts'
import { findTable, qualifiedName, type TableSearch } from './find-table.ts'
import { cutCharacters, onOneLine } from './plain-text.ts'
import { numberRange, roughCount, roughShare, timeRange } from './rough-numbers.ts'
import { pathColumns } from './shown-names.ts'
import { shownType } from './shown-type.ts'

/** More tables than this are a list that nobody reads. */
const LISTED_TABLES = 100
/** Of a catalog that is larger than any list. */
const NEAREST_TABLES = 30
const LISTED_DATABASES = 20
const LISTED_COLUMNS = 200
const SHOWN_VALUES = 5

export type TableDescription =
  | { readonly kind: 'described'; readonly table: TableSchema; readonly markdown: string }
  | Exclude<TableSearch, { kind: 'found' }>

/** All tables as Markdown for people: a heading for each database, a line for each table. */
export function listTables(schema: Schema): string {
  if (schema.tables.length === 0) return 'There are no tables that I may read.'
  if (schema.focus !== undefined) return listFocused(schema, schema.focus)
  const shown = schema.tables.slice(0, LISTED_TABLES)
  const databases = [...new Set(shown.map(table => table.database))]
  const sections = databases.map(database => {
    const lines = shown.filter(table => table.database === database).map(table => tableLine(table))
    return [`**${markdownText(database, 100)}**`, ...lines].join('\n')
  })
  const further = schema.tables.length - shown.length
  if (further > 0) sections.push(`… and ${further} more tables. Ask for one by its name.`)
  return sections.join('\n\n')
}

/** Of a large catalog the tables that are nearest to what was asked, and how many each database has. */
function listFocused({ tables }: Schema, focus: SchemaFocus): string {
  const nearest = focus.tables.slice(0, NEAREST_TABLES).map(({ table }) => tableLine(table, code(qualifiedName(table))))
  const counts = new Map<string, number>()
  for (const { database } of tables) counts.set(database, (counts.get(database) ?? 0) + 1)
  const databases = [...counts].sort(([, one], [, other]) => other - one)
  const most = databases.slice(0, LISTED_DATABASES).map(([name, count]) => `${markdownText(name, 100)} (${count})`)
  const further = databases.length - most.length
  return [
    `There are ${tables.length} tables in ${databases.length} databases: ${most.join(', ')}${further > 0 ? ` and ${further} more` : ''}.`,
    `**Nearest to what you asked**\n${nearest.join('\n')}`,
    'Ask for tables about something ("which tables are about invoices?"), or for one by its name.',
  ].join('\n\n')
}

/** One table as Markdown for people, or what stands in the way of showing it. */
export function describeTable(schema: Schema, name: string): TableDescription {
  const search = findTable(schema, name)
  if (search.kind !== 'found') return search
  return { kind: 'described', table: search.table, markdown: tableMarkdown(search.table) }
}

function tableLine(table: TableSchema, name = code(table.name)): string {
  const facts = [table.viewDefinition === '' ? '' : 'view', table.rows === null ? '' : `${roughCount(table.rows)} rows`]
  const comment = markdownText(table.comment, 120)
  const inBrackets = facts.filter(fact => fact !== '').join(', ')
  return `- ${name}${inBrackets === '' ? '' : ` (${inBrackets})`}${comment === '' ? '' : `: ${comment}`}`
}

function tableMarkdown(table: TableSchema): string {
  const columns = table.columns.flatMap(column => [column, ...(column.paths ?? []).flatMap(path => pathColumns(column, path))])
  const rows = columns.slice(0, LISTED_COLUMNS).map(column => `| ${columnCells(column).join(' | ')} |`)
  const further = columns.length - rows.length
  const note = engineNote(table)
  const blocks = [
    `**${code(qualifiedName(table))}**`,
    markdownText(table.comment, 500),
    tableFacts(table).join(' · '),
    note === undefined ? '' : `_Note: ${note}._`,
    ['| Column | Type | Meaning | Values |', '|---|---|---|---|', ...rows].join('\n'),
    further > 0 ? `… and ${further} more columns.` : '',
    table.viewDefinition === '' ? '' : `Defined as ${code(cutCharacters(table.viewDefinition, 1_000))}`,
  ]
  return blocks.filter(block => block !== '').join('\n\n')
}

function tableFacts(table: TableSchema): readonly string[] {
  const facts = [code(table.engine)]
  if (table.rows !== null) facts.push(`${roughCount(table.rows)} rows`)
  if (table.sortingKey !== '') facts.push(`sorted by ${code(table.sortingKey)}`)
  if (table.partitionKey !== '') facts.push(`partitioned by ${code(table.partitionKey)}`)
  return facts
}

function columnCells(column: ColumnSchema): readonly string[] {
  return [code(column.name), code(cutCharacters(shownType(column), 120)), markdownText(column.comment, 200), valuesText(column)]
}

function valuesText(column: ColumnSchema): string {
  if (column.isPrivate) return 'private'
  const { statistics } = column
  if (statistics === undefined || statistics.rowsScanned === 0) return ''
  const { kind, enumValues } = readColumnType(column.type)
  const facts: string[] = []
  const samples = statistics.samples.slice(0, SHOWN_VALUES).map(code).join(', ')
  const { min, max } = statistics
  if (samples !== '' && kind !== 'small_number') facts.push(`${samples}${statistics.samples.length > SHOWN_VALUES ? ', …' : ''}`)
  else if (min !== null && max !== null) {
    const range = kind === 'time' ? timeRange(min, max) : numberRange(min, max)
    facts.push(`${statistics.rangeExact ? '' : 'seen: '}${markdownText(range, 80)}`)
  } else if (enumValues.length === 0 && kind === 'text') facts.push(`${roughCount(statistics.distinct)} different`)
  if (statistics.nullShare > 0) facts.push(`${roughShare(statistics.nullShare)} empty`)
  return facts.join('; ')
}

/** Foreign text as code. A bar would end the cell of a table, also within code. */
function code(text: string): string {
  const line = onOneLine(text, 1_000).replaceAll('|', '\\|')
  return line === '' ? '' : `\`${line}\``
}

/** Foreign text as text: nothing in it is Markdown, a link, a mention or markup. */
function markdownText(text: string, maxCharacters: number): string {
  return onOneLine(text, maxCharacters).replace(/[\\*_~[\]()<>#|!@]/g, '\\$&')
}
