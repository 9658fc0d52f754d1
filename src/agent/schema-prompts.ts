import { listTables } from '../clickhouse/catalog/describe-schema.ts'
import { renderSchema } from '../clickhouse/catalog/schema-prompt.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { fenceData } from '../llm/data-fence.ts'

/** The schema for planning and SQL: all that is known of every table, as far as there is room. */
export function schemaPrompt(schema: Schema): string {
  return fenceData('schema', renderSchema(schema).text)
}

/** The names of the tables with their comments: enough to tell what can be asked about. */
export function tablesPrompt(schema: Schema): string {
  return fenceData('tables', listTables(schema))
}
