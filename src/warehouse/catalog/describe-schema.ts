import { catalogWords } from '../../words/catalog.ts'
import type { Language } from '../../words/language.ts'
import { CATALOG_ANSWER_LIMITS } from '../limits.ts'
import type { ColumnSchema, Schema, SchemaFocus, TableSchema } from '../schema.ts'
import { readColumnType } from '../sql/column-type.ts'
import { cutCharacters, onOneLine } from '../sql/plain-text.ts'
import { qualifiedName } from '../table-names.ts'
import { engineNote } from './engine-note.ts'
import { findTable, type TableMatch } from './find-table.ts'
import { numberRange, roughCount, roughShare, timeRange } from './rough-numbers.ts'
import { pathColumns } from './shown-names.ts'
import { shownType } from './shown-type.ts'

export type TableDescription =
  | { readonly kind: 'described'; readonly table: TableSchema; readonly markdown: string }
  | Exclude<TableMatch, { kind: 'found' }>

/** Lists all tables as Markdown, with one heading per database and one line per table. */
export function listTables(schema: Schema, language: Language = 'en'): string {
  const words = catalogWords(language)
  if (schema.tables.length === 0) return words.noTables
  if (schema.focus !== undefined) return listFocused(schema, schema.focus, language)
  const shown = schema.tables.slice(0, CATALOG_ANSWER_LIMITS.listedTables)
  const databases = [...new Set(shown.map(table => table.database))]
  const sections = databases.map(database => {
    const lines = shown.filter(table => table.database === database).map(table => tableLine(table, language))
    return [`**${markdownText(database, 100)}**`, ...lines].join('\n')
  })
  const further = schema.tables.length - shown.length
  if (further > 0) sections.push(words.moreTables(further))
  return sections.join('\n\n')
}

/** Lists the tables of a large catalog that fit the question best, and how many tables each database has. */
function listFocused({ tables }: Schema, focus: SchemaFocus, language: Language): string {
  const words = catalogWords(language)
  const nearest = focus.tables
    .slice(0, CATALOG_ANSWER_LIMITS.nearestTables)
    .map(({ table }) => tableLine(table, language, code(qualifiedName(table))))
  const counts = new Map<string, number>()
  for (const { database } of tables) counts.set(database, (counts.get(database) ?? 0) + 1)
  const databases = [...counts].sort(([, one], [, other]) => other - one)
  const most = databases
    .slice(0, CATALOG_ANSWER_LIMITS.listedDatabases)
    .map(([name, count]) => `${markdownText(name, 100)} (${count})`)
  const further = databases.length - most.length
  return [
    words.tablesIn(tables.length, databases.length, most.join(', '), further),
    `**${words.nearest}**\n${nearest.join('\n')}`,
    words.askNearer,
  ].join('\n\n')
}

/** Describes one table as Markdown. If the name matches no table or several, returns the similar or matching tables instead. */
export function describeTable(schema: Schema, name: string, language: Language = 'en'): TableDescription {
  const search = findTable(schema, name)
  if (search.kind !== 'found') return search
  return { kind: 'described', table: search.table, markdown: tableMarkdown(search.table, language) }
}

function tableLine(table: TableSchema, language: Language, name = code(table.name)): string {
  const words = catalogWords(language)
  const facts = [
    table.viewDefinition === '' ? '' : words.view,
    table.rows === null ? '' : words.rows(roughCount(table.rows, language)),
  ]
  const comment = markdownText(table.comment, 120)
  const inBrackets = facts.filter(fact => fact !== '').join(', ')
  return `- ${name}${inBrackets === '' ? '' : ` (${inBrackets})`}${comment === '' ? '' : `: ${comment}`}`
}

function tableMarkdown(table: TableSchema, language: Language): string {
  const words = catalogWords(language)
  const columns = table.columns.flatMap(column => [column, ...(column.paths ?? []).flatMap(path => pathColumns(column, path))])
  const rows = columns
    .slice(0, CATALOG_ANSWER_LIMITS.listedColumns)
    .map(column => `| ${columnCells(column, language).join(' | ')} |`)
  const further = columns.length - rows.length
  const note = engineNote(table, words)
  const blocks = [
    `**${code(qualifiedName(table))}**`,
    markdownText(table.comment, 500),
    tableFacts(table, language).join(' · '),
    note === undefined ? '' : `_${words.note(note)}_`,
    [`| ${words.header.join(' | ')} |`, '|---|---|---|---|', ...rows].join('\n'),
    further > 0 ? words.moreColumns(further) : '',
    table.viewDefinition === '' ? '' : words.definedAs(code(cutCharacters(table.viewDefinition, 1_000))),
  ]
  return blocks.filter(block => block !== '').join('\n\n')
}

function tableFacts(table: TableSchema, language: Language): readonly string[] {
  const words = catalogWords(language)
  const facts = [code(table.engine)]
  if (table.rows !== null) facts.push(words.rows(roughCount(table.rows, language)))
  if (table.sortingKey !== '') facts.push(words.sortedBy(code(table.sortingKey)))
  if (table.partitionKey !== '') facts.push(words.partitionedBy(code(table.partitionKey)))
  return facts
}

function columnCells(column: ColumnSchema, language: Language): readonly string[] {
  return [
    code(column.name),
    code(cutCharacters(shownType(column), 120)),
    markdownText(column.comment, 200),
    valuesText(column, language),
  ]
}

function valuesText(column: ColumnSchema, language: Language): string {
  const words = catalogWords(language)
  if (column.isPrivate) return words.private
  const { statistics } = column
  if (statistics === undefined || statistics.rowsScanned === 0) return ''
  const { kind, enumValues } = readColumnType(column.type)
  const facts: string[] = []
  const samples = statistics.samples.slice(0, CATALOG_ANSWER_LIMITS.shownValues).map(code).join(', ')
  const { min, max } = statistics
  if (samples !== '' && kind !== 'small_number')
    facts.push(`${samples}${statistics.samples.length > CATALOG_ANSWER_LIMITS.shownValues ? ', …' : ''}`)
  else if (min !== null && max !== null) {
    const range = kind === 'time' ? timeRange(min, max, language) : numberRange(min, max, language)
    facts.push(`${statistics.rangeExact ? '' : words.seen}${markdownText(range, 80)}`)
  } else if (enumValues.length === 0 && kind === 'text') facts.push(words.different(roughCount(statistics.distinct, language)))
  if (statistics.nullShare > 0) facts.push(words.empty(roughShare(statistics.nullShare, language)))
  return facts.join('; ')
}

/**
 * Formats text from the database as code in backticks. Escapes `|`, which would end a cell of a Markdown table even inside code.
 */
function code(text: string): string {
  const line = onOneLine(text, 1_000).replaceAll('|', '\\|')
  return line === '' ? '' : `\`${line}\``
}

/** Escapes text from the database, so that no chat platform finds Markdown, a link, a mention or markup in it. */
function markdownText(text: string, maxCharacters: number): string {
  return onOneLine(text, maxCharacters).replace(/[\\*_~[\]()<>#|!@]/g, '\\$&')
}
