import { memoizePerObject } from '../../base/memoize.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { PromptValue } from '../../llm/prompts.ts'
import { listTables } from '../../warehouse/catalog/describe-schema.ts'
import { renderSchema } from '../../warehouse/catalog/schema-prompt.ts'
import { withholdParts } from '../../warehouse/catalog/withhold-parts.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { focusedSchemaText, focusedTablesText } from './focused-schema-prompt.ts'

/**
 * Writes the schema for planning and SQL. A small catalog is written whole.
 * For a large one, the tables in focus stand behind the constant part of the prompt.
 * The text is cached per schema, because writing it takes milliseconds.
 */
export const schemaPrompt = memoizePerObject((schema: Schema): PromptValue => {
  if (schema.focus === undefined) return fenceData('schema', renderSchema(schema).text)
  return {
    here: 'The catalog is large. The tables that the question may need stand at the head of the next message.',
    later: `# The schema, as far as it is near to the question\n\n${fenceData('schema', focusedSchemaText(schema, schema.focus))}`,
  }
})

/** Writes the tables' names and comments, which are enough to see what can be asked. */
export const tablesPrompt = memoizePerObject((schema: Schema): PromptValue => {
  if (schema.focus === undefined) {
    const withheld = new Set(schema.withheld)
    return fenceData('tables', listTables({ ...schema, tables: schema.tables.map(table => withholdParts(table, withheld)) }))
  }
  return {
    here: 'The catalog is large. The tables that the message may be about stand at the head of the next message.',
    later: `# Tables that the message may be about\n\n${fenceData('tables', focusedTablesText(schema, schema.focus))}`,
  }
})
