import { z } from 'zod'
import type { Schema } from '../clickhouse/schema.ts'
import { askForJson } from './ask-model.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { type DatasourceQuestion, datasourceQuestion } from './datasource.ts'
import { questionPrompt } from './question-prompt.ts'
import type { RunContext } from './run-context.ts'
import { schemaPrompt } from './schema-prompts.ts'
import { describeNow } from './time-context.ts'

const MOST_DATA_QUESTIONS = 6

const dataQuestionSchema = z.object({ question: z.string().min(1), rationale: z.string() })
const planSchema = z.object({
  data_questions: z.array(dataQuestionSchema),
  clarification: z.object({ question: z.string(), choices: z.array(z.string()) }).nullable(),
  /** Several databases could answer, and would answer differently. */
  datasource: z
    .object({ question: z.string(), databases: z.array(z.string()) })
    .nullable()
    .default(null),
  error: z.string().nullable(),
})

export type DataQuestion = z.infer<typeof dataQuestionSchema>
/** `left_out` are data questions beyond those that one question may have. */
export type Plan = Omit<z.infer<typeof planSchema>, 'datasource'> & {
  readonly datasource: DatasourceQuestion | null
  readonly left_out: readonly string[]
}

/**
 * Splits a question into one to six data questions, or returns what to ask back, in which data source to look, or why it cannot be answered.
 * @param onDataQuestion called as soon as one is known, while the rest is still being written; a later call for the same index replaces it
 */
export async function decompose(
  context: RunContext,
  schema: Schema,
  question: string,
  onDataQuestion: (index: number, dataQuestion: DataQuestion) => void,
  signal: AbortSignal,
): Promise<Plan> {
  const { request, deps } = context
  const plan = await askForJson(
    context,
    {
      step: 'decompose',
      subject: question,
      input: { question },
      values: {
        schema: schemaPrompt(schema),
        domain: deps.domain.full,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(question),
      },
      output: { schema: planSchema, elements: { property: 'data_questions', schema: dataQuestionSchema } },
      onElement: (index, element) => {
        if (index < MOST_DATA_QUESTIONS) onDataQuestion(index, element)
      },
      // What cannot be split is asked whole.
      fallback: { data_questions: [{ question, rationale: '' }], clarification: null, datasource: null, error: null },
    },
    signal,
  )
  const clarification = isBlank(plan.clarification?.question) ? null : plan.clarification
  const error = isBlank(plan.error) ? null : plan.error
  const datasource = datasourceQuestion(plan.datasource, schema)
  if (clarification !== null || datasource !== null || error !== null) {
    return { data_questions: [], left_out: [], clarification, datasource, error }
  }
  const dataQuestions = plan.data_questions.length === 0 ? [{ question, rationale: '' }] : plan.data_questions
  return {
    data_questions: dataQuestions.slice(0, MOST_DATA_QUESTIONS),
    left_out: dataQuestions.slice(MOST_DATA_QUESTIONS).map(({ question: text }) => text),
    clarification,
    datasource,
    error,
  }
}

/** Models write an empty text where null was asked for. */
function isBlank(text: string | null | undefined): boolean {
  return text == null || text.trim() === ''
}
