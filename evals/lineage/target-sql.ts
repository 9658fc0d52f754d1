import { type JobDefinition, operationLayers } from '../../src/pipelines/jobs/definition.ts'
import { renderTemplate } from '../../src/pipelines/sql-template.ts'

/**
 * Returns a job's result as one SELECT over its sources, with each operation in place of its table. It writes nothing, so it takes a fiftieth of a
 * run's time. Inputs are in their tables' order, which decides ties in the engine.
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
