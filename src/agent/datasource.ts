import { onOneLine } from '../clickhouse/catalog/plain-text.ts'
import type { Schema } from '../clickhouse/schema.ts'
import { withSchemas } from '../clickhouse/schema-source.ts'
import { answerWords } from '../words/answer-words.ts'
import { askPerson } from './ask-person.ts'
import { MOST_CHOICES } from './clarification.ts'
import type { RunContext } from './run-context.ts'

const COMMENT_CHARACTERS = 100

/** What a plan says where several data sources could answer: in which of them to look. */
export interface DatasourceQuestion {
  readonly question: string
  /** Databases of the schema, two at least. */
  readonly databases: readonly string[]
}

/** What a model said of data sources, as far as there is something to choose between: others than the schema's do not exist. */
export function datasourceQuestion(said: DatasourceQuestion | null, schema: Schema): DatasourceQuestion | null {
  if (said === null) return null
  const existing = new Set(schema.tables.map(table => table.database))
  const databases = [...new Set(said.databases)].filter(database => existing.has(database)).slice(0, MOST_CHOICES)
  return databases.length < 2 ? null : { question: said.question.trim(), databases }
}

/** The person's question within one data source. */
export interface SourcedQuestion {
  readonly context: RunContext
  readonly schema: Schema
  /** Says which source it is about, so that a follow-up is about it as well. */
  readonly question: string
}

/** Asks which data source is meant, and keeps the run to it: what lies outside does not exist for the rest of it. @throws InterruptError */
export async function chooseDatasource(
  { context, schema, question }: SourcedQuestion,
  asked: DatasourceQuestion,
  signal: AbortSignal,
): Promise<SourcedQuestion> {
  const interrupt = {
    kind: 'need_datasource',
    question: asked.question || answerWords(context.language).whichSource,
    choices: asked.databases.map(database => ({ value: database, label: labelOf(database, schema) })),
  } as const
  const database = await askPerson(context, { step: 'datasource', attempt: 1 }, { question }, interrupt, signal)
  return {
    context: {
      ...context,
      deps: { ...context.deps, schemaSource: withSchemas(context.deps.schemaSource, whole => within(whole, database)) },
    },
    schema: within(schema, database),
    question: `${question} (data source: ${database})`,
  }
}

function labelOf(database: string, { databases }: Schema): string {
  const comment = onOneLine(databases.find(({ name }) => name === database)?.comment ?? '', COMMENT_CHARACTERS)
  return comment === '' ? database : `${database}: ${comment}`
}

function within(schema: Schema, database: string): Schema {
  return {
    ...schema,
    tables: schema.tables.filter(table => table.database === database),
    databases: schema.databases.filter(({ name }) => name === database),
  }
}
