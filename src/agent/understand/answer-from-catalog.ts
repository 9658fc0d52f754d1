import { describeTable, listTables, type TableDescription } from '../../warehouse/catalog/describe-schema.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { qualifiedName } from '../../warehouse/table-names.ts'
import { type AnswerWords, answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { Classification } from './classify.ts'

/** Answers "what tables are there" and "describe t" from the catalog, without running a query. */
export function answerFromCatalog(
  schema: Schema,
  { catalog_request: request, table }: Pick<Classification, 'catalog_request' | 'table'>,
  language: Language,
): { readonly markdown: string; readonly activeTable: string | null } {
  const words = answerWords(language)
  const [first, ...others] = schema.tables
  const only = request === 'describe' && first !== undefined && others.length === 0 ? qualifiedName(first) : ''
  const named = table?.trim() || only
  if (named !== '') {
    const description = describeTable(schema, named, language)
    const activeTable = description.kind === 'described' ? qualifiedName(description.table) : null
    return { markdown: inWords(description, named, words), activeTable }
  }
  if (request === 'describe' && others.length > 0) {
    return { markdown: `${words.whichTable}\n\n${listTables(schema, language)}`, activeTable: null }
  }
  return { markdown: listTables(schema, language), activeTable: null }
}

function inWords(description: TableDescription, asked: string, words: AnswerWords): string {
  switch (description.kind) {
    case 'described':
      return description.markdown
    case 'ambiguous':
      return `${words.severalTables}\n${description.candidates.map(table => `- ${code(qualifiedName(table))}`).join('\n')}`
    case 'unknown':
      return words.noSuchTable(code(asked), description.near.map(code))
  }
}

/** Writes a table's name as inline code. Back-ticks in the name cannot end the code early. */
function code(name: string): string {
  return `\`${onOneLine(name, AGENT_LIMITS.understand.nameCharacters) || '?'}\``
}
