import { z } from 'zod'
import type { Schema } from '../../warehouse/schema.ts'
import { type SchemaSource, withSchemas } from '../../warehouse/schema-source.ts'
import { onOneLine } from '../../warehouse/sql/plain-text.ts'
import { answerWords } from '../../words/answer.ts'
import { askPerson } from '../ask-back/ask-person.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { PersonContext, QuestionContext, SchemaContext } from '../run/context.ts'

/** The plan's question to the person which data source is meant, if several databases could answer and would differ. */
export const datasourceSchema = z.object({ question: z.string(), databases: z.array(z.string()) }).nullable()
/** The databases are at least two of the schema. */
export type DatasourceQuestion = NonNullable<z.infer<typeof datasourceSchema>>

/** Keeps only the databases that exist. Null if fewer than two remain. */
export function datasourceQuestion(said: DatasourceQuestion | null, schema: Schema): DatasourceQuestion | null {
  if (said === null) return null
  const existing = new Set(schema.tables.map(table => table.database))
  const databases = [...new Set(said.databases)].filter(database => existing.has(database)).slice(0, AGENT_LIMITS.askBack.choices)
  return databases.length < 2 ? null : { question: said.question.trim(), databases }
}

/** The person's question, limited to one data source. */
export interface SourcedQuestion {
  readonly schemaSource: SchemaSource
  readonly schema: Schema
  /** The question with the name of the source added, so that follow-up questions use the same source. */
  readonly question: string
}

/**
 * Asks the person which data source is meant. Returns the question and the schema, limited to that source.
 * @throws InterruptError
 */
export async function chooseDatasource(
  context: PersonContext & SchemaContext,
  { schema, question }: Omit<SourcedQuestion, 'schemaSource'>,
  asked: DatasourceQuestion,
  signal: AbortSignal,
): Promise<SourcedQuestion> {
  const aboutOf = (database: string) => schema.databases.find(({ name }) => name === database)?.comment ?? ''
  const choices = asked.databases.map(name => ({ name, about: aboutOf(name) }))
  const database = await askDatasource(context, question, { question: asked.question, choices }, signal)
  return {
    schemaSource: withSchemas(context.schemaSource, whole => onlyDatabase(whole, database)),
    schema: onlyDatabase(schema, database),
    question: `${question} (data source: ${database})`,
  }
}

/**
 * Asks the person which of several sources is meant, and returns its name.
 * @param asked.question in words; empty for the usual ones
 * @throws InterruptError
 */
export function askDatasource(
  context: PersonContext & Pick<QuestionContext, 'language'>,
  question: string,
  asked: { readonly question: string; readonly choices: readonly { readonly name: string; readonly about: string }[] },
  signal: AbortSignal,
): Promise<string> {
  const choices = asked.choices.map(({ name, about }) => {
    const comment = onOneLine(about, AGENT_LIMITS.schema.sourceCommentCharacters)
    return { value: name, label: comment === '' ? name : `${name}: ${comment}` }
  })
  const words = asked.question.trim() || answerWords(context.language).whichSource
  const interrupt = { kind: 'need_datasource', question: words, choices } as const
  return askPerson(context, { step: 'datasource', attempt: 1 }, { question }, interrupt, signal)
}

function onlyDatabase(schema: Schema, database: string): Schema {
  return {
    ...schema,
    tables: schema.tables.filter(table => table.database === database),
    databases: schema.databases.filter(({ name }) => name === database),
  }
}
