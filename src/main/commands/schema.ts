import { answerFromCatalog } from '../../agent/understand/answer-from-catalog.ts'
import { noticeWhenSlow } from '../../base/notice-when-slow.ts'
import { terminalMarkdown } from '../../bots/terminal/markdown.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { readDatabases, setDatabaseAdvice } from '../../clickhouse/databases-with-tables.ts'
import { describeTable, listTables } from '../../warehouse/catalog/describe-schema.ts'
import { fitsWhole } from '../../warehouse/catalog/schema-prompt.ts'
import type { SchemaSource } from '../../warehouse/schema-source.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { answerWords } from '../../words/answer.ts'
import { wireSchemaSource, wireWarehouse } from '../parts.ts'
import { openSource, sourceNamed } from '../sources.ts'
import { openStateStore } from '../store.ts'
import { type CommandContext, EXIT, tell } from './command-context.ts'

/** `clew schema`: lists the tables, or describes one table. `--json` prints everything that Clew knows about them. */
export async function schemaCommand(
  context: CommandContext,
  table: string | undefined,
  options: { readonly json: boolean; readonly source?: string },
): Promise<number> {
  const { output, errorOutput, signal } = context
  const { warehouse, source } = await partsOf(context, options.source)
  const schema = await noticeWhenSlow(source.load(signal), 'Reading the schema …', context.tell)
  const view = viewOf(output)
  const print = (markdown: string, value: unknown) =>
    output.write(options.json ? `${JSON.stringify(value)}\n` : `${terminalMarkdown(markdown, view)}\n`)
  if (table === undefined || table.trim() === '') {
    // If there are too many tables to list, only those that questions most likely need are listed.
    const tables = fitsWhole(schema) ? undefined : await source.find?.(schema, { text: '' }, signal)
    const focus = tables && { tables, words: new Set<string>(), isSecondLook: false }
    print(listTables({ ...schema, ...(focus && { focus }) }, context.language), schema)
    if (schema.tables.length === 0 && warehouse !== undefined) {
      const { databases } = context.config.warehouse
      tell(context, setDatabaseAdvice(databases.join(', '), await readDatabases(warehouse, signal)))
    }
    return EXIT.answered
  }
  const description = describeTable(schema, table, context.language)
  if (description.kind !== 'described') {
    const isNear = description.kind === 'ambiguous' || description.near.length > 0
    const { markdown } = isNear
      ? answerFromCatalog(schema, { catalog_request: 'describe', table }, context.language)
      : { markdown: answerWords(context.language).notInSchema(`\`${table}\``) }
    errorOutput.write(`${terminalMarkdown(markdown, viewOf(errorOutput))}\n`)
    return EXIT.failed
  }
  print(description.markdown, description.table)
  return EXIT.answered
}

/** Returns the schema of one of several sources, or of the warehouse. The warehouse can also list databases that nobody set. */
async function partsOf(
  context: CommandContext,
  id: string | undefined,
): Promise<{ readonly warehouse?: Warehouse; readonly source: SchemaSource }> {
  const store = await openStateStore(context)
  if (id !== undefined) return { source: openSource(context, store, sourceNamed(context.config, id)).schemaSource }
  const warehouse = await wireWarehouse(context, context.signal)
  return { warehouse, source: wireSchemaSource(context, { warehouse, store }) }
}
