import { z } from 'zod'
import { SIZES } from '../../base/sizes.ts'
import type { StepKey } from '../../history/run-log.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext } from '../run/context.ts'
import { type DatasourceQuestion, datasourceQuestion, datasourceSchema } from '../schema/datasource.ts'
import { planningPrompt } from '../schema/schema-prompts.ts'
import { clarificationSchema, planningValues } from './planning-values.ts'

const dataQuestionSchema = z.object({
  question: z.string().min(1).max(SIZES.question),
  /** The names of all tables that the query will read. Empty if the model names none. */
  tables: z.array(z.string()).default([]),
})
const draftSchema = z.object({
  data_questions: z.array(dataQuestionSchema),
  clarification: clarificationSchema,
  datasource: datasourceSchema.default(null),
  error: z.string().nullable(),
})

export type DataQuestion = z.infer<typeof dataQuestionSchema>
/** The plan as the model wrote it. */
export type PlanDraft = z.infer<typeof draftSchema>
/** A checked plan. `left_out` contains the data questions that are too many. */
export type Plan = Omit<PlanDraft, 'datasource'> & {
  readonly datasource: DatasourceQuestion | null
  readonly left_out: readonly string[]
}

/**
 * Receives each data question as soon as it is complete, while the model still writes the others. A later call with the same
 * index replaces the earlier data question.
 */
export type OnDataQuestion = (index: number, dataQuestion: DataQuestion) => void

/** Returns the key and the input of the model call that plans. They identify the call in the log of a resumed run. */
export function planningOf(question: string): { readonly key: StepKey; readonly input: { readonly question: string } } {
  return { key: { step: 'decompose' }, input: { question } }
}

/**
 * Splits a question into one to six data questions. If that is not possible, asks the person back, asks for the data source, or
 * says why the data cannot answer.
 * @param question the message, rewritten to stand on its own; the message itself if the prompt contains the conversation
 */
export async function decompose(
  context: ModelContext & QuestionContext,
  schema: Schema,
  question: string,
  onDataQuestion: OnDataQuestion,
  signal: AbortSignal,
): Promise<PlanDraft> {
  return askForJson(
    context,
    {
      step: 'decompose',
      ...(schema.focus?.isSecondLook && { attempt: 2 }),
      subject: question,
      input: planningOf(question).input,
      values: {
        most_questions: `${AGENT_LIMITS.understand.dataQuestions}`,
        schema: planningPrompt(schema),
        databases: databaseCount(schema),
        ...planningValues(context, question),
      },
      output: { schema: draftSchema, elements: { property: 'data_questions', schema: dataQuestionSchema } },
      onElement: (index, element) => {
        if (index < AGENT_LIMITS.understand.dataQuestions) onDataQuestion(index, element)
      },
      fallback: { data_questions: [], clarification: null, datasource: null, error: null },
    },
    signal,
  )
}

/**
 * Turns a draft into a plan. If the draft has no data questions, the question itself becomes the only one.
 * @param question rewritten to stand on its own
 */
export function planOf(draft: PlanDraft, schema: Schema, question: string): Plan {
  const clarification = isBlank(draft.clarification?.question) ? null : draft.clarification
  const error = isBlank(draft.error) ? null : draft.error
  const datasource = datasourceQuestion(draft.datasource, schema)
  if (clarification !== null || datasource !== null || error !== null) {
    return { data_questions: [], left_out: [], clarification, datasource, error }
  }
  const dataQuestions = draft.data_questions.length === 0 ? [{ question, tables: [] }] : draft.data_questions
  return {
    data_questions: dataQuestions.slice(0, AGENT_LIMITS.understand.dataQuestions),
    left_out: dataQuestions.slice(AGENT_LIMITS.understand.dataQuestions).map(({ question: text }) => text),
    clarification,
    datasource,
    error,
  }
}

/** Returns the number of databases for the prompt. Empty for a single one, so that the prompt leaves the section out. */
export function databaseCount({ tables }: Schema): string {
  const { size } = new Set(tables.map(({ database }) => database))
  return size > 1 ? `${size}` : ''
}

/** Whether a model left out a text. Instead of null, models often write an empty text. */
function isBlank(text: string | null | undefined): boolean {
  return text == null || text.trim() === ''
}
