import { z } from 'zod'
import type { Schema } from '../clickhouse/schema.ts'
import { fenceData } from '../llm/data-fence.ts'
import { askForJson } from './ask-model.ts'
import { chartRequestSchema } from './charts/chart-request.ts'
import { type Narrowing, narrowingPrompt } from './narrowing.ts'
import { questionPrompt } from './question-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { FailedAttempt } from './run-result.ts'
import { schemaPrompt } from './schema-prompts.ts'
import { describeNow } from './time-context.ts'

const draftSchema = z.object({
  sql: z.string(),
  explanation: z.string(),
  assumptions: z.array(z.string()),
  deciding_assumptions: z.array(z.string()).default([]),
  // A query is not asked for again because of its chart.
  chart: chartRequestSchema.nullable().default(null).catch(null),
})

export type SqlDraft = z.infer<typeof draftSchema>

/** Only a query that is to be narrowed may come back without SQL: nothing could be left out of it. */
const firstDraftSchema = draftSchema.extend({ sql: z.string().min(1) })

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
    /** Set from the moment that a query was right and too expensive. */
    readonly narrowing: Narrowing | null
  },
  signal: AbortSignal,
): Promise<SqlDraft> {
  const { request, deps } = context
  const { failed, narrowing } = options
  const draft = await askForJson(
    context,
    {
      step: 'generate',
      query: options.id,
      attempt: failed.length + 1,
      subject: options.dataQuestion,
      input: { question: options.question, data_question: options.dataQuestion, failed, narrowing },
      values: {
        schema: schemaPrompt(options.schema),
        domain: deps.domain.full,
        now: describeNow(request),
        question: questionPrompt(options.question),
        data_question: fenceData('data question', options.dataQuestion),
        attempts: attemptsPrompt(failed, narrowing, options.schema),
      },
      output: { schema: narrowing === null ? firstDraftSchema : draftSchema },
    },
    signal,
  )
  return { ...draft, sql: withoutFence(draft.sql) }
}

/** Some models put a code fence around the SQL even inside JSON. */
function withoutFence(sql: string): string {
  return /^\s*```[a-z]*\s*\n([\s\S]*?)\n?\s*```\s*$/i.exec(sql)?.[1] ?? sql
}

function attemptsPrompt(failed: readonly FailedAttempt[], narrowing: Narrowing | null, schema: Schema): string {
  const wrong = failed.filter(attempt => attempt.sql !== narrowing?.sql)
  const attempts = wrong.map(
    (attempt, index) =>
      `Attempt ${index + 1}:\n${fenceData('sql', attempt.sql)}\nwhat was wrong:\n${fenceData('error', attempt.message)}`,
  )
  const mistakes = `# Earlier attempts that failed\n\nWrite a query that does not repeat these mistakes.\n\n${attempts.join('\n\n')}`
  return [...(attempts.length === 0 ? [] : [mistakes]), ...(narrowing === null ? [] : [narrowingPrompt(narrowing, schema)])].join(
    '\n\n',
  )
}
