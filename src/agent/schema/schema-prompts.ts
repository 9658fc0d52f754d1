import { memoizePerObject } from '../../base/memoize.ts'
import { fenceData } from '../../llm/data-fence.ts'
import type { PromptValue } from '../../llm/prompts.ts'
import { listTables } from '../../warehouse/catalog/describe-schema.ts'
import { renderSchema } from '../../warehouse/catalog/schema-prompt.ts'
import { withholdParts } from '../../warehouse/catalog/withhold-parts.ts'
import type { Schema, SchemaPart } from '../../warehouse/schema.ts'
import { focusedSchemaText, focusedTablesText } from './focused-schema-prompt.ts'

/**
 * The parts of a schema that matter only for writing SQL. A plan needs to know what the tables describe and measure, not their
 * values and storage. Without these parts, answers were just as good (evals/RESULTS.md). They take half of a schema's tokens.
 */
const PARTS_OF_SQL = ['types', 'samples', 'row_counts', 'keys', 'views', 'engine_notes'] as const satisfies readonly SchemaPart[]

/** The parts that a plan over several sources does not need. Types and values show how columns of two sources fit together. */
const PARTS_OF_ONE_SOURCE = ['row_counts', 'keys', 'views', 'engine_notes'] as const satisfies readonly SchemaPart[]

/** Writes a small catalog in full. */
export const wholeSchemaText = memoizePerObject((schema: Schema): string => fenceData('schema', renderSchema(schema).text))

/**
 * Writes the schema for writing SQL. A small catalog is written in full. For a large one, the tables in focus follow the constant
 * part of the prompt. The text is cached per schema, because writing it takes milliseconds.
 */
export const schemaPrompt = memoizePerObject((schema: Schema): PromptValue => {
  if (schema.focus === undefined) return wholeSchemaText(schema)
  return {
    here: 'The catalog is large. The tables that the question may need stand at the head of the next message.',
    later: `# The schema, as far as it is near to the question\n\n${fenceData('schema', focusedSchemaText(schema, schema.focus))}`,
  }
})

export const planningPrompt = memoizePerObject((schema: Schema): PromptValue => {
  if (schema.focus !== undefined) return schemaPrompt(schema)
  return wholeSchemaText({ ...schema, withheld: [...(schema.withheld ?? []), ...PARTS_OF_SQL] })
})

/** Writes the schema of one of several sources for a plan over them. Of a large catalog, only the tables in focus. */
export const sourceSchemaPrompt = memoizePerObject((schema: Schema): string =>
  schema.focus === undefined
    ? wholeSchemaText({ ...schema, withheld: [...(schema.withheld ?? []), ...PARTS_OF_ONE_SOURCE] })
    : fenceData('schema', focusedSchemaText(schema, schema.focus)),
)

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
