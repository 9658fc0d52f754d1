import { memoizePerObject } from '../../base/memoize.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { PromptValue } from '../../llm/prompts.ts'
import { findTable } from '../../warehouse/catalog/find-table.ts'
import { renderTable, schemaHeading } from '../../warehouse/catalog/schema-prompt.ts'
import { columnName, shownTableName } from '../../warehouse/catalog/shown-names.ts'
import { withholdParts } from '../../warehouse/catalog/withhold-parts.ts'
import { joinPaths } from '../../warehouse/joins/paths.ts'
import type { Schema, TableSchema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { wholeSchemaText } from './schema-prompts.ts'

/**
 * Writes the schema for a query whose plan names its tables. The constant part of the prompt lists the columns of all tables by
 * name. After it, the named tables, and the tables that can be joined to them, are described in full.
 * @param named names with or without database
 * @param hinted more tables that may be needed, as `database.table`; unknown ones are ignored
 * @returns undefined if the plan names no table or an unknown one, or if the whole schema is hardly longer
 */
export function namedTablesPrompt(
  schema: Schema,
  named: readonly string[],
  hinted: Iterable<string> = [],
): PromptValue | undefined {
  if (named.length === 0 || schema.focus !== undefined) return undefined
  const known = new Set<TableSchema>()
  for (const name of named) {
    const match = findTable(schema, name)
    if (match.kind !== 'found') return undefined
    known.add(match.table)
  }
  const { paths, here, textOf } = outlineOf(schema)
  for (const name of hinted) {
    const match = findTable(schema, name)
    if (match.kind === 'found') known.add(match.table)
  }
  for (const table of [...known]) for (const { to } of paths.get(table) ?? []) known.add(to)
  // The tables keep the order of the schema. Then the same tables give the same bytes, which a provider can cache.
  const texts = schema.tables.filter(table => known.has(table)).map(textOf)
  const later = `# The tables of this query\n\n${fenceData('schema', texts.join('\n\n'))}`
  const isShorter = here.length + later.length < AGENT_LIMITS.schema.namedShare * wholeSchemaText(schema).length
  return isShorter ? { here, later } : undefined
}

/** The parts of the prompt that are the same for all questions. */
const outlineOf = memoizePerObject((schema: Schema) => {
  const withheld = new Set(schema.withheld)
  const paths = withheld.has('joins') ? new Map<TableSchema, never[]>() : joinPaths(schema.tables)
  const lines = schema.tables.map(
    table =>
      `${shownTableName(table)} (${table.columns
        .filter(column => !column.isPrivate)
        .map(columnName)
        .join(', ')})`,
  )
  const text = [schemaHeading(schema, withheld, paths.size > 0), '-- All tables, with the names of their columns:', ...lines]
  const here = `${fenceData('schema', text.join('\n'))}\n\nThe tables that this query needs stand with all facts at the head of the next message.`
  const textOf = memoizePerObject((table: TableSchema) => renderTable(withholdParts(table, withheld), paths.get(table), withheld))
  return { paths, here, textOf }
})
