import type { ColumnSchema, ColumnStatistics, Schema, TableSchema } from '../schema.ts'
import { readColumnType } from './column-type.ts'
import { engineNote } from './engine-note.ts'
import { cutCharacters, onOneLine, sqlColumnName, sqlLiteral, sqlName } from './plain-text.ts'
import { numberRange, roughCount, roughShare, timeRange } from './rough-numbers.ts'
import { shownType } from './shown-type.ts'

/** How much of a prompt the schema may take, in characters; four of them are about one token. */
const SCHEMA_PROMPT_LIMITS = {
  /** Tables with everything that is known of them: 15,000 tokens, which cost a cached prompt little and leave room in a window of 32,000. */
  wholeCharacters: 60_000,
  /** Past that, tables with names and types only, so that none is thought not to exist. */
  briefCharacters: 40_000,
  commentCharacters: 200,
  viewCharacters: 2_000,
  typeCharacters: 400,
  nameCharacters: 300,
  samples: 12,
} as const

/** Before what holds for the scanned part of a table only. */
const SEEN = 'seen: '

export interface RenderedSchema {
  readonly text: string
  /** Tables that the text does not name, for want of room. */
  readonly omitted: readonly TableSchema[]
}

/**
 * Renders a schema for a model: a line for each table and each column, in one order, so that the same schema gives the same bytes.
 * Names, comments and values come from outside: none of them leaves its line or can close a code block; whoever puts the text into a
 * prompt fences it.
 * @param options.first tables to be given whole before others, as `database.table`: what a retrieval step thinks relevant
 */
export function renderSchema(
  schema: Schema,
  options: { readonly first?: ReadonlySet<string>; readonly wholeCharacters?: number; readonly briefCharacters?: number } = {},
): RenderedSchema {
  const first = options.first ?? new Set<string>()
  const isFirst = (table: TableSchema) => first.has(`${table.database}.${table.name}`)
  const ordered = [...schema.tables.filter(isFirst), ...schema.tables.filter(table => !isFirst(table))]
  const whole = takeWhileRoom(ordered, renderTable, options.wholeCharacters ?? SCHEMA_PROMPT_LIMITS.wholeCharacters)
  const brief = takeWhileRoom(whole.rest, renderBriefly, options.briefCharacters ?? SCHEMA_PROMPT_LIMITS.briefCharacters)
  const sections = [heading(schema), ...whole.texts]
  if (brief.texts.length > 0) sections.push('-- Further tables, with the names and types of their columns only:', ...brief.texts)
  if (brief.rest.length > 0) sections.push(`-- ${brief.rest.length} further tables are not shown here.`)
  return { text: sections.join('\n\n'), omitted: brief.rest }
}

function heading(schema: Schema): string {
  const zone = onOneLine(schema.timeZone, 50)
  const described = schema.databases.filter(({ comment }) => comment !== '')
  return [
    `-- ClickHouse ${onOneLine(schema.serverVersion, 50)}; times are in ${zone} unless a column names another zone.`,
    '-- "seen" is what a part of the table showed: there may be more.',
    ...described.map(({ name, comment }) => `-- DATABASE ${sqlName(name)}${quoted(comment)}`),
  ].join('\n')
}

function takeWhileRoom(
  tables: readonly TableSchema[],
  render: (table: TableSchema) => string,
  characters: number,
): { texts: readonly string[]; rest: readonly TableSchema[] } {
  const texts: string[] = []
  const rest: TableSchema[] = []
  let room = characters
  for (const [index, table] of tables.entries()) {
    const text = render(table)
    // One table of endless names or columns does not push out those behind it.
    if (text.length > characters / 2) {
      rest.push(table)
      continue
    }
    room -= text.length
    if (room < 0) return { texts, rest: [...rest, ...tables.slice(index)] }
    texts.push(text)
  }
  return { texts, rest }
}

function renderBriefly(table: TableSchema): string {
  return `${tableName(table)} (${table.columns.map(column => `${columnName(column)} ${typeText(column)}`).join(', ')})`
}

/** One table with everything that is known of it. */
export function renderTable(table: TableSchema): string {
  const kind = table.viewDefinition === '' ? 'TABLE' : 'VIEW'
  const facts = [
    onOneLine(table.engine, 50),
    table.rows === null ? '' : `${roughCount(table.rows)} rows`,
    keyText('ORDER BY', table.sortingKey),
    table.primaryKey === table.sortingKey ? '' : keyText('PRIMARY KEY', table.primaryKey),
    keyText('PARTITION BY', table.partitionKey),
  ]
  const note = engineNote(table.engine)
  const lines = [`${kind} ${tableName(table)} -- ${facts.filter(fact => fact !== '').join('; ')}${quoted(table.comment)}`]
  if (note !== undefined) lines.push(`  -- ${note}`)
  lines.push(...table.columns.map(renderColumn))
  if (table.viewDefinition !== '') lines.push(`  AS ${onOneLine(table.viewDefinition, SCHEMA_PROMPT_LIMITS.viewCharacters)}`)
  return lines.join('\n')
}

function renderColumn(column: ColumnSchema): string {
  const facts = [...computationFacts(column), ...valueFacts(column)].join('; ')
  const remark = `${facts}${quoted(column.comment)}`.trim()
  return `  ${columnName(column)} ${typeText(column)}${remark === '' ? '' : ` -- ${remark}`}`
}

function computationFacts({ computed }: ColumnSchema): readonly string[] {
  if (computed === undefined || computed.kind === 'DEFAULT') return []
  if (computed.kind === 'EPHEMERAL') return ['cannot be read']
  return [`${computed.kind.toLowerCase()} ${onOneLine(computed.expression, SCHEMA_PROMPT_LIMITS.commentCharacters)}`]
}

function valueFacts(column: ColumnSchema): readonly string[] {
  if (column.isPrivate) return ['PRIVATE: may not be queried, not even in a condition or by *']
  const { statistics } = column
  if (statistics === undefined || statistics.rowsScanned === 0) return []
  return [rangeText(column, statistics), sampleText(column, statistics), nullText(statistics)].filter(fact => fact !== '')
}

function rangeText(column: ColumnSchema, { min, max, rangeExact, samples }: ColumnStatistics): string {
  const { kind } = readColumnType(column.type)
  if (kind === 'small_number' && samples.length > 0) return ''
  // The extremes of an id tell nothing, and a new row changes them.
  if (min === null || max === null || (kind !== 'time' && /(^|_)id$/i.test(column.name))) return ''
  const range = kind === 'time' ? timeRange(min, max) : numberRange(min, max)
  return `${rangeExact ? '' : SEEN}${onOneLine(range, 80)}`
}

function sampleText(column: ColumnSchema, { samples, distinct, exact }: ColumnStatistics): string {
  const { kind } = readColumnType(column.type)
  if (kind === 'enum' || kind === 'boolean') return ''
  if (samples.length === 0) return kind === 'text' ? `${exact ? '' : SEEN}${roughCount(distinct)} different values` : ''
  const literal = kind === 'small_number' ? (value: string) => onOneLine(value, 10) : sqlLiteral
  // The most frequent are chosen, but not shown by frequency: that changes from one gathering to the next.
  const shown = samples.slice(0, SCHEMA_PROMPT_LIMITS.samples).sort().map(literal).join(', ')
  const label = kind === 'map' ? 'keys' : kind === 'array' ? 'elements' : 'values'
  const isAll = exact && distinct <= Math.min(samples.length, SCHEMA_PROMPT_LIMITS.samples)
  return `${label}: ${shown}${isAll ? '' : ', …'}`
}

function nullText({ nullShare }: ColumnStatistics): string {
  return nullShare === 0 ? '' : `${roughShare(nullShare)} NULL`
}

function keyText(label: string, key: string): string {
  return key === '' ? '' : `${label} (${onOneLine(key, SCHEMA_PROMPT_LIMITS.commentCharacters)})`
}

function tableName(table: TableSchema): string {
  return `${sqlName(table.database)}.${cutCharacters(sqlName(table.name), SCHEMA_PROMPT_LIMITS.nameCharacters)}`
}

function columnName(column: ColumnSchema): string {
  return cutCharacters(sqlColumnName(column.name), SCHEMA_PROMPT_LIMITS.nameCharacters)
}

function typeText(column: ColumnSchema): string {
  return onOneLine(shownType(column), SCHEMA_PROMPT_LIMITS.typeCharacters)
}

function quoted(comment: string): string {
  const text = onOneLine(comment, SCHEMA_PROMPT_LIMITS.commentCharacters)
  return text === '' ? '' : ` ${JSON.stringify(text)}`
}
