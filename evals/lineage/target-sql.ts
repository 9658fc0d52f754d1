import { type JobDefinition, operationLayers } from '../../src/pipelines/job-definition.ts'
import { renderTemplate } from '../../src/pipelines/sql-template.ts'

/**
 * What a job would publish, as one SELECT over its sources: each operation stands in place of its table. Nothing is written, so it takes a fiftieth of the time of a run. Inputs
 * are in the order of their tables, which decides ties in the engine as it is.
 */
export function targetSql(definition: JobDefinition): string {
  const tables = new Map<string, string>()
  for (const [name, input] of Object.entries(definition.inputs)) {
    if ('table' in input) {
      tables.set(name, `pipelines.${input.table}`)
      continue
    }
    const order = input.order_by.length === 0 ? '' : ` ORDER BY ${input.order_by.join(', ')}`
    tables.set(name, `(SELECT * FROM (${input.source})${order})`)
  }
  for (const { name, sql } of operationLayers(definition).flat()) {
    tables.set(name, `(${renderTemplate(sql, { tables, values: definition.arguments })})`)
  }
  return tables.get(definition.target.operation) ?? ''
}
