import { z } from 'zod'
import type { Schema } from '../clickhouse/schema.ts'
import { fenceData } from '../llm/data-fence.ts'
import { askForJson } from './ask-model.ts'
import { questionPrompt } from './question-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { FailedAttempt } from './run-result.ts'
import { schemaPrompt } from './schema-prompts.ts'
import { describeNow } from './time-context.ts'

const draftSchema = z.object({
  sql: z.string().min(1),
  explanation: z.string(),
  assumptions: z.array(z.string()),
  deciding_assumptions: z.array(z.string()).default([]),
})

export type SqlDraft = z.infer<typeof draftSchema>

/**
 * Writes the SQL of one data question.
 * @param failed earlier attempts with what was wrong, which this one must not repeat
 * @throws ModelError
 */
export async function generate(
  context: RunContext,
  options: {
    readonly schema: Schema
    readonly id: string
    readonly dataQuestion: string
    readonly question: string
    readonly failed: readonly FailedAttempt[]
  },
  signal: AbortSignal,
): Promise<SqlDraft> {
  const { request, deps } = context
  const draft = await askForJson(
    context,
    {
      step: 'generate',
      query: options.id,
      attempt: options.failed.length + 1,
      subject: options.dataQuestion,
      input: { question: options.question, data_question: options.dataQuestion, failed: options.failed },
      values: {
        schema: schemaPrompt(options.schema),
        domain: deps.domain.full,
        now: describeNow(request),
        question: questionPrompt(options.question),
        data_question: fenceData('data question', options.dataQuestion),
        attempts: attemptsPrompt(options.failed),
      },
      output: { schema: draftSchema },
    },
    signal,
  )
  return { ...draft, sql: withoutFence(draft.sql) }
}

/** Some models put a code fence around the SQL even inside JSON. */
function withoutFence(sql: string): string {
  return /^\s*```[a-z]*\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(sql)?.[1] ?? sql
}

function attemptsPrompt(failed: readonly FailedAttempt[]): string {
  if (failed.length === 0) return ''
  const attempts = failed.map(
    (attempt, index) =>
      `Attempt ${index + 1}:\n${fenceData('sql', attempt.sql)}\nwhat was wrong:\n${fenceData('error', attempt.message)}`,
  )
  return `# Earlier attempts that failed\n\nWrite a query that does not repeat these mistakes.\n\n${attempts.join('\n\n')}`
}
