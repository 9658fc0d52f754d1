import { WarehouseError } from '../../warehouse/error.ts'
import type { ReadQuery } from '../../warehouse/warehouse.ts'
import { PipelineError } from '../error.ts'
import { PIPELINES_LIMITS } from '../limits.ts'
import { outsideReads, placeholderTable } from '../outside-tables.ts'
import { renderTemplate, templatePlaceholders } from '../sql-template.ts'
import type { StateWarehouse } from '../state-database.ts'
import type { PipelineTables } from '../tables.ts'
import { type JobDefinition, jobSteps } from './definition.ts'

interface TemplateCheckDeps {
  readonly warehouse: StateWarehouse
  readonly tables: PipelineTables
}

/**
 * Checks the templates of a definition. Each template must be one SELECT that the engine can parse. An operation may read only
 * inputs and other operations of the job.
 * @throws PipelineError `definition` with all mistakes; WarehouseError
 */
export async function checkTemplates(definition: JobDefinition, deps: TemplateCheckDeps, signal: AbortSignal): Promise<void> {
  const mistakes: string[] = []
  for (const { label, sql, isInput } of jobSteps(definition)) {
    const tables = new Map(templatePlaceholders(sql).tables.map(name => [name, placeholderTable(name)]))
    const rendered = renderTemplate(sql, { tables, values: definition.arguments })
    const found = await mistakesIn(rendered, isInput, deps, signal)
    mistakes.push(...found.map(mistake => `- ${label}: ${mistake.replace(/(?<![.\s])[.\s]+$/, '')}.`))
  }
  if (mistakes.length > 0) {
    throw new PipelineError(`The job's definition is wrong:\n${mistakes.join('\n')}`, { kind: 'definition' })
  }
}

async function mistakesIn(
  sql: string,
  isInput: boolean,
  deps: TemplateCheckDeps,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ask = async (query: Pick<ReadQuery, 'sql' | 'parameters'>) =>
    (await deps.warehouse.readOwn({ ...query, database: 'system' }, signal)).rows.map(([line]) => String(line))
  try {
    const canonical = (await ask({ sql: 'SELECT formatQuerySingleLine({sql:String})', parameters: { sql } })).join('\n')
    if (!/^(?:SELECT|WITH|\()/.test(canonical)) return ['it is not a SELECT']
    if (isInput) return []
    return await outsideReads(
      await ask({ sql: `EXPLAIN QUERY TREE run_passes = 0 SELECT * FROM (${canonical})` }),
      deps.tables,
      signal,
    )
  } catch (error) {
    if (error instanceof WarehouseError && error.kind === 'syntax') return [syntaxSentence(error.message)]
    throw error
  }
}
/**
 * Shortens an error message of the engine: removes the list of expected tokens, and the SQL that the check put around the
 * template.
 */
function syntaxSentence(message: string): string {
  const text = message
    .replace(/(?:[.:,]|(?<!\s))\s*(?:Expected one of:|In scope SELECT formatQuery)[\s\S]*$/, '')
    .replace(/(?<![.:\s])[.:\s]+$/, '')
  return `${text.length <= PIPELINES_LIMITS.complaintCharacters ? text : `${text.slice(0, PIPELINES_LIMITS.complaintCharacters - 1)}…`}.`
}
