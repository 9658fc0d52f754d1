import { isToldBy, joinPathText, severalColumnsText } from '../joins/path-text.ts'
import { type JoinPath, joinPaths } from '../joins/paths.ts'
import { CATALOG_LIMITS, SCHEMA_PROMPT_LIMITS } from '../limits.ts'
import type { ColumnSchema, ColumnStatistics, Schema, SchemaPart, TableSchema } from '../schema.ts'
import { readColumnType } from '../sql/column-type.ts'
import { onOneLine, sqlLiteral, sqlName } from '../sql/plain-text.ts'
import { engineNote, mergeCall } from './engine-note.ts'
import { numberRange, roughCount, roughShare, timeRange } from './rough-numbers.ts'
import { rowGrain } from './row-grain.ts'
import { columnName, pathColumns, pathExpression, shownTableName } from './shown-names.ts'
import { shownType } from './shown-type.ts'
import { withholdParts } from './withhold-parts.ts'

const PATHS = '-- "→ t.c": join on t.c, unique there; "n %" of the values are found, "?": not checked.'

/** Marks a fact as known from the scanned rows only. The rest of the table may have other values. */
const SEEN = 'seen: '

export interface RenderedSchema {
  readonly text: string
  /** The tables that the text leaves out, because it would become too long. */
  readonly omitted: readonly TableSchema[]
}

/**
 * Renders a schema for a model, with one line per table and column. The order is fixed, so the same schema always gives the same
 * bytes. Names, comments and values come from the database, so they are escaped: they cannot begin a new line or close a code
 * block. The caller must still put the text into a fence of the prompt.
 */
export function renderSchema(
  schema: Schema,
  options: { readonly wholeCharacters?: number; readonly briefCharacters?: number } = {},
): RenderedSchema {
  const withheld: ReadonlySet<SchemaPart> = new Set(schema.withheld)
  const paths = withheld.has('joins')
    ? new Map<TableSchema, JoinPath[]>()
    : joinPaths(schema.tables.slice(0, SCHEMA_PROMPT_LIMITS.joinedTables))
  const render = (table: TableSchema) => renderTable(withholdParts(table, withheld), paths.get(table), withheld)
  const whole = takeWhileRoom(schema.tables, render, options.wholeCharacters ?? SCHEMA_PROMPT_LIMITS.wholeCharacters)
  const brief = takeWhileRoom(whole.rest, renderBriefly, options.briefCharacters ?? SCHEMA_PROMPT_LIMITS.briefCharacters)
  const hasPaths = [...paths.values()].some(({ length }) => length > 0)
  const sections = [schemaHeading(schema, withheld, hasPaths), ...whole.texts]
  if (brief.texts.length > 0) sections.push('-- Further tables, with the names and types of their columns only:', ...brief.texts)
  if (brief.rest.length > 0) sections.push(`-- ${brief.rest.length} further tables are not shown here.`)
  return { text: sections.join('\n\n'), omitted: brief.rest }
}

/** Whether a prompt has room for all facts of every table. */
export function fitsWhole(schema: Schema): boolean {
  const { wholeCharacters } = SCHEMA_PROMPT_LIMITS
  if (schema.tables.length * SCHEMA_PROMPT_LIMITS.leastTableCharacters > wholeCharacters) return false
  let room: number = wholeCharacters
  return schema.tables.every(table => {
    const { length } = renderTable(table)
    // A table that needs more than half of the space is skipped, because `takeWhileRoom` never shows it with all facts.
    if (length <= wholeCharacters / 2) room -= length
    return room >= 0
  })
}

export function schemaHeading(schema: Schema, withheld: ReadonlySet<SchemaPart>, hasPaths: boolean): string {
  const zone = onOneLine(schema.timeZone, 50)
  // Programs write JSON into comments for other programs. It would not help the model, so it is left out.
  const databases = withheld.has('comments') ? [] : schema.databases
  const described = databases.filter(({ comment }) => comment !== '' && !/^\{".*\}$/s.test(comment))
  return [
    `-- ${schema.product ?? 'ClickHouse'} ${onOneLine(schema.serverVersion, 50)}; times are in ${zone} unless a column names another zone.`,
    '-- "seen" is what a part of the table showed: there may be more.',
    ...(hasPaths ? [PATHS] : []),
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
    // A single table with very many columns or long names is skipped. Otherwise it would use up the space of the tables after it.
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
  return `${shownTableName(table)} (${table.columns.map(column => `${columnName(column)} ${typeText(column)}`).join(', ')})`
}

/**
 * Renders a table with all known facts.
 * @param paths the joins from this table to other tables in the prompt
 * @param withheld the kinds of facts to leave out
 */
export function renderTable(
  table: TableSchema,
  paths: readonly JoinPath[] = [],
  withheld: ReadonlySet<SchemaPart> = new Set(),
): string {
  const kind = table.viewDefinition === '' ? 'TABLE' : 'VIEW'
  const hasNotes = !withheld.has('engine_notes')
  const facts = [
    onOneLine(table.engine, 50),
    table.rows === null ? '' : `${roughCount(table.rows)} rows`,
    ...(withheld.has('keys') ? [] : keyFacts(table)),
    table.ttl === undefined || !hasNotes ? '' : `TTL ${onOneLine(table.ttl, SCHEMA_PROMPT_LIMITS.ttlCharacters)}`,
  ]
  const note = hasNotes ? engineNote(table) : undefined
  const lines = [`${kind} ${shownTableName(table)} -- ${facts.filter(fact => fact !== '').join('; ')}${quoted(table.comment)}`]
  if (note !== undefined) lines.push(`  -- ${note}`)
  lines.push(...paths.filter(({ columns }) => columns.length > 1).map(path => `  -- ${severalColumnsText(path, table)}`))
  // A materialized view may fill another table with the same columns. The prompt shows the columns only once, at that other
  // table.
  const isElsewhere = hasNotes && table.engine === 'MaterializedView' && table.linked !== undefined
  const pathOf = new Map(paths.map(path => [path.columns.length === 1 ? path.columns[0] : undefined, path]))
  if (!isElsewhere) {
    for (const column of table.columns)
      lines.push(renderColumn(column, table, { path: pathOf.get(column.name), withheld }), ...renderPaths(column))
  }
  if (table.viewDefinition !== '') lines.push(`  AS ${onOneLine(table.viewDefinition, SCHEMA_PROMPT_LIMITS.viewCharacters)}`)
  return lines.join('\n')
}

/**
 * Describes a table's keys and the columns that identify its rows. If the sorting key itself identifies them, one phrase says
 * both: `ORDER BY (id) unique`.
 */
function keyFacts(table: TableSchema): readonly string[] {
  const { sortingKey, primaryKey, partitionKey, engine } = table
  const key = keyText('ORDER BY', sortingKey)
  const isOwn = primaryKey !== sortingKey && engine !== 'Dictionary'
  const others = [isOwn ? keyText('PRIMARY KEY', primaryKey) : '', keyText('PARTITION BY', partitionKey)]
  const grain = rowGrain(table)
  if (grain === undefined) return [key, ...others]
  const unique = `${grain.exact ? '' : SEEN}unique`
  const told = grain.columns === sortingKey ? [`${key} ${unique}`] : [`${onOneLine(grain.columns, 100)} ${unique}`, key]
  return [...told, ...others]
}

function renderColumn(
  column: ColumnSchema,
  table: TableSchema,
  { path, withheld }: { readonly path: JoinPath | undefined; readonly withheld: ReadonlySet<SchemaPart> },
): string {
  const facts = [
    ...(path === undefined ? [] : [joinPathText(path, table)]),
    ...computationFacts(column),
    ...(withheld.has('engine_notes') ? [] : stateFacts(column)),
    ...valueFacts(column),
    ...(column.paths?.length ? ['its paths, as SQL reads them, are:'] : []),
  ].join('; ')
  const remark = `${facts}${isToldBy(column.comment, path) ? '' : quoted(column.comment)}`.trim()
  const type = withheld.has('types') ? '' : ` ${typeText(column)}`
  return `  ${columnName(column)}${type}${remark === '' ? '' : ` -- ${remark}`}`
}

/** Writes each path of a JSON column as an SQL expression, such as `data.user.age.:Int64`. */
function renderPaths(column: ColumnSchema): readonly string[] {
  const { paths = [] } = column
  const lines = paths.slice(0, SCHEMA_PROMPT_LIMITS.paths).map(path => {
    const written = path.types.map(type => onOneLine(pathExpression(column, path, type), SCHEMA_PROMPT_LIMITS.commentCharacters))
    const facts = pathColumns(column, path).flatMap(valueFacts).join('; ')
    return `    ${written.join(' or ')}${facts === '' ? '' : ` -- ${facts}`}`
  })
  const isAll = paths.length <= SCHEMA_PROMPT_LIMITS.paths && paths.length < CATALOG_LIMITS.jsonPaths
  return isAll ? lines : [...lines, `    … and more paths: JSONAllPaths(${columnName(column)})`]
}

function computationFacts({ computed }: ColumnSchema): readonly string[] {
  if (computed === undefined || computed.kind === 'DEFAULT') return []
  if (computed.kind === 'EPHEMERAL') return ['cannot be read']
  return [`${computed.kind.toLowerCase()} ${onOneLine(computed.expression, SCHEMA_PROMPT_LIMITS.commentCharacters)}`]
}

function stateFacts(column: ColumnSchema): readonly string[] {
  const call = column.isPrivate ? undefined : mergeCall(column.type, columnName(column))
  return call === undefined ? [] : [onOneLine(call, SCHEMA_PROMPT_LIMITS.commentCharacters)]
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
  // The range of an id is no help to the model, and its maximum grows with each new row. So it is left out.
  if (min === null || max === null || (kind !== 'time' && /(^|_)id$/i.test(column.name))) return ''
  const range = kind === 'time' ? timeRange(min, max) : numberRange(min, max)
  return `${rangeExact ? '' : SEEN}${onOneLine(range, 80)}`
}

function sampleText(column: ColumnSchema, { samples, distinct, exact }: ColumnStatistics): string {
  const { kind } = readColumnType(column.type)
  if (kind === 'enum' || kind === 'boolean') return ''
  if (samples.length === 0) return kind === 'text' ? `${exact ? '' : SEEN}${roughCount(distinct)} distinct` : ''
  const literal = kind === 'small_number' ? (value: string) => onOneLine(value, 10) : sqlLiteral
  // The samples are the most frequent values. They are shown in alphabetical order, because the order of frequency changes
  // whenever statistics are gathered, and the prompt must stay the same.
  const limit = samples.every(isOpaque) ? SCHEMA_PROMPT_LIMITS.opaqueSamples : SCHEMA_PROMPT_LIMITS.samples
  const shown = samples.slice(0, SCHEMA_PROMPT_LIMITS.samples).sort().slice(0, limit).map(literal).join(', ')
  const label = kind === 'map' ? 'keys' : kind === 'array' ? 'elements' : 'values'
  const isAll = exact && distinct <= Math.min(samples.length, limit)
  return `${label}: ${shown}${isAll ? '' : ', …'}`
}

/**
 * Whether a value is a long run of letters and digits, such as a hash. People do not write such values in questions, so two show
 * enough.
 */
function isOpaque(sample: string): boolean {
  return sample.length >= 24 && /^[\w-]+$/.test(sample) && /\d/.test(sample) && /[A-Za-z]/.test(sample)
}

function nullText({ nullShare }: ColumnStatistics): string {
  return nullShare === 0 ? '' : `${roughShare(nullShare)} NULL`
}

function keyText(label: string, key: string): string {
  return key === '' ? '' : `${label} (${onOneLine(key, SCHEMA_PROMPT_LIMITS.commentCharacters)})`
}

function typeText(column: ColumnSchema): string {
  return onOneLine(shownType(column), SCHEMA_PROMPT_LIMITS.typeCharacters)
}

function quoted(comment: string): string {
  const text = onOneLine(comment, SCHEMA_PROMPT_LIMITS.commentCharacters)
  return text === '' ? '' : ` ${JSON.stringify(text)}`
}
