import { estimateTokens } from '../../llm/token-estimate.ts'
import { engineNote } from '../../warehouse/catalog/engine-note.ts'
import { renderTable, schemaHeading } from '../../warehouse/catalog/schema-prompt.ts'
import { columnName, shownTableName } from '../../warehouse/catalog/shown-names.ts'
import { shownType } from '../../warehouse/catalog/shown-type.ts'
import { withholdParts } from '../../warehouse/catalog/withhold-parts.ts'
import { type JoinPath, joinPaths } from '../../warehouse/joins/paths.ts'
import { splitWords, stem } from '../../warehouse/retrieval/words.ts'
import type { ColumnSchema, Schema, SchemaFocus, SchemaPart, TableSchema } from '../../warehouse/schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'

/**
 * The token limits for the tables of a large catalog. They are about 1.5 times the tokens of ten ordinary tables. With ten
 * thousand tables, a step's prompt is less than 1.3 times as long as with ten (measured in `test/retrieval`).
 */
const FOCUS_TOKENS = { schema: 1_650, whole: 700, tables: 370 } as const

/**
 * Describes the tables that a question may need: the best ones in full, the others by names and types. Then says how many more
 * tables there are.
 */
export function focusedSchemaText(schema: Schema, focus: SchemaFocus): string {
  const withheld = new Set(schema.withheld)
  const shown = fill(focus, withheld)
  const databases = new Set(shown.map(({ table }) => table.database))
  const shownDatabases = schema.databases.filter(({ name }) => databases.has(name))
  const heading = schemaHeading({ ...schema, databases: shownDatabases }, withheld, !withheld.has('joins'))
  const whole = shown.filter(({ isWhole }) => isWhole).map(({ text }) => text)
  const brief = shown.filter(({ isWhole }) => !isWhole).map(({ text }) => text)
  const further = schema.tables.length - shown.length
  return [
    heading,
    ...whole,
    ...(brief.length === 0 ? [] : ['-- Other tables that may matter, briefly:', ...brief]),
    ...(further === 0 ? [] : [furtherLine(further)]),
  ].join('\n\n')
}

/** Lists the tables that a message may be about, with their comments. Then says how many more tables there are. */
export function focusedTablesText(schema: Schema, focus: SchemaFocus): string {
  const lines: string[] = []
  let room: number = FOCUS_TOKENS.tables
  const isCommented = schema.withheld?.includes('comments') !== true
  for (const { table } of focus.tables) {
    const comment = isCommented ? onOneLine(table.comment, 100) : ''
    const line = `- ${shownTableName(table)}${comment === '' ? '' : `: ${comment}`}`
    room -= estimateTokens(line)
    if (room < 0) break
    lines.push(line)
  }
  const databases = new Set(schema.tables.map(({ database }) => database)).size
  const further = schema.tables.length - lines.length
  return [
    ...lines,
    `… and ${further} further tables in ${databases} databases, about other things. Each is known by its name.`,
  ].join('\n')
}

function furtherLine(further: number): string {
  return `-- ${further} further tables exist; these are the nearest to the question. A table that is not shown here may be copies or about other things.`
}

interface ShownTable {
  readonly table: TableSchema
  readonly text: string
  readonly isWhole: boolean
}

function fill({ tables, words }: SchemaFocus, withheld: ReadonlySet<SchemaPart>): readonly ShownTable[] {
  const joined = withheld.has('joins') ? [] : tables.slice(0, AGENT_LIMITS.schema.joinedTables)
  const paths = joinPaths(joined.map(({ table }) => table))
  const shown: ShownTable[] = []
  let room: number = FOCUS_TOKENS.schema
  let wholeRoom: number = FOCUS_TOKENS.whole
  for (const { table, copies: names } of tables) {
    if (room < AGENT_LIMITS.schema.leastTableTokens) break
    const copies = copiesLine(names)
    const told = withholdParts(table, withheld)
    const columns = (most: number) => chooseColumns(told, words, most)
    const whole =
      wholeRoom === 0
        ? null
        : counted(`${wholeText(told, columns(AGENT_LIMITS.schema.wholeColumns), paths.get(table), withheld)}${copies}`)
    const isWhole = whole !== null && whole.tokens <= wholeRoom
    const { text, tokens } = isWhole
      ? whole
      : counted(`${briefText(told, columns(AGENT_LIMITS.schema.briefColumns), withheld)}${copies}`)
    // This table does not fit, but a smaller one may.
    if (tokens > room) continue
    // After the first table that is described in brief, all later ones are too.
    wholeRoom = isWhole ? wholeRoom - tokens : 0
    room -= tokens
    shown.push({ table, text, isWhole })
  }
  return shown
}

function counted(text: string): { readonly text: string; readonly tokens: number } {
  return { text, tokens: estimateTokens(text) }
}

interface ChosenColumns {
  readonly chosen: readonly ColumnSchema[]
  readonly others: readonly ColumnSchema[]
}

function wholeText(
  table: TableSchema,
  { chosen, others }: ChosenColumns,
  paths: readonly JoinPath[] | undefined,
  withheld: ReadonlySet<SchemaPart>,
): string {
  return `${renderTable({ ...table, columns: chosen }, paths, withheld)}${othersText(others)}`
}

function briefText(table: TableSchema, { chosen, others }: ChosenColumns, withheld: ReadonlySet<SchemaPart>): string {
  const note = withheld.has('engine_notes') ? undefined : engineNote(table)
  const comment = onOneLine(table.comment, 80)
  const remarks = [comment, note ?? ''].filter(text => text !== '').join('; ')
  const columns = chosen.map(column => `${columnName(column)} ${briefType(column)}`).join(', ')
  return `${shownTableName(table)} (${columns})${remarks === '' ? '' : ` -- ${remarks}`}${othersText(others)}`
}

function othersText(others: readonly ColumnSchema[]): string {
  if (others.length === 0) return ''
  const names = others.slice(0, AGENT_LIMITS.schema.namedColumns).map(columnName).join(', ')
  return `\n  -- further columns: ${names}${others.length > AGENT_LIMITS.schema.namedColumns ? ', …' : ''}`
}

/**
 * Chooses columns of a wide table: first keys, times and the columns that the question names, then the table's first columns. The
 * chosen columns keep the order of the table.
 */
function chooseColumns(table: TableSchema, words: ReadonlySet<string>, most: number): ChosenColumns {
  if (table.columns.length <= most) return { chosen: table.columns, others: [] }
  const keys = new Set(splitKey(`${table.sortingKey},${table.partitionKey}`))
  const worth = (column: ColumnSchema) =>
    4 * Number(splitWords(`${column.name} ${column.comment}`).some(word => words.has(stem(word)))) +
    2 * Number(keys.has(column.name)) +
    Number(/_(id|key|code)$|^(Date|DateTime)/.test(column.name) || /^(Nullable\()?Date/.test(column.type))
  const ranked = table.columns
    .map((column, place) => ({ column, place, worth: worth(column) }))
    .sort((a, b) => b.worth - a.worth || a.place - b.place)
  const chosen = new Set(ranked.slice(0, most).map(({ column }) => column))
  return {
    chosen: table.columns.filter(column => chosen.has(column)),
    others: table.columns.filter(column => !chosen.has(column)),
  }
}

function splitKey(key: string): readonly string[] {
  return key.split(/[^\w]+/)
}

/** Returns the part of a column's type that the model needs to write a query. */
function briefType(column: ColumnSchema): string {
  if (column.isPrivate) return 'PRIVATE: may not be queried'
  const type = shownType(column).replace(/LowCardinality\(((?:Nullable\()?\w+\)?)\)/g, '$1')
  const values = /^Enum\d+\((.*)\)$/s.exec(type)?.[1]?.match(/'(?:[^'\\]|\\.)*(?:'|$)/g)
  if (values == null) return onOneLine(type, 80)
  return onOneLine(
    `Enum(${values.slice(0, AGENT_LIMITS.schema.enumValues).join(', ')}${values.length > AGENT_LIMITS.schema.enumValues ? ', …' : ''})`,
    120,
  )
}

function copiesLine(copies: readonly string[]): string {
  if (copies.length === 0) return ''
  const names = copies
    .slice(0, AGENT_LIMITS.schema.copies)
    .map(name => onOneLine(name, 80))
    .join(', ')
  return `\n  -- near-duplicates: ${names}${copies.length > AGENT_LIMITS.schema.copies ? ` and ${copies.length - AGENT_LIMITS.schema.copies} more` : ''}`
}
