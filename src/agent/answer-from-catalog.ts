import { describeTable, listTables, type TableDescription } from '../clickhouse/catalog/describe-schema.ts'
import { qualifiedName } from '../clickhouse/catalog/find-table.ts'
import { onOneLine } from '../clickhouse/catalog/plain-text.ts'
import type { Schema } from '../clickhouse/schema.ts'
import type { Classification } from './classify.ts'

/** Longer than any name that somebody would read. */
const NAME_CHARACTERS = 200

/** Answers "what tables are there" and "describe t" from the catalog, without a query. */
export function answerFromCatalog(
  schema: Schema,
  { catalog_request: request, table }: Pick<Classification, 'catalog_request' | 'table'>,
): { readonly markdown: string; readonly activeTable: string | null } {
  if (table !== null && table.trim() !== '') {
    const description = describeTable(schema, table)
    const activeTable = description.kind === 'described' ? qualifiedName(description.table) : null
    return { markdown: inWords(description, table), activeTable }
  }
  if (request === 'describe' && schema.tables.length > 1) {
    return { markdown: `Which table should I describe?\n\n${listTables(schema)}`, activeTable: null }
  }
  return { markdown: listTables(schema), activeTable: null }
}

function inWords(description: TableDescription, asked: string): string {
  switch (description.kind) {
    case 'described':
      return description.markdown
    case 'ambiguous':
      return `Several tables are called that. Which one do you mean?\n${description.candidates.map(table => `- ${code(qualifiedName(table))}`).join('\n')}`
    case 'unknown': {
      const near = description.near.map(code).join(', ')
      return near === ''
        ? `There is no table ${code(asked)}. Ask "what tables are there?" for the list.`
        : `There is no table ${code(asked)}. Did you mean ${near}?`
    }
  }
}

/** A name of a table, as its maker or the asker wrote it, in back-ticks that it cannot close. */
function code(name: string): string {
  return `\`${onOneLine(name, NAME_CHARACTERS) || '?'}\``
}
