import { z } from 'zod'
import type { Schema } from '../clickhouse/schema.ts'
import type { StepKey } from '../history/run-log.ts'
import { askForJson } from './ask-model.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { questionPrompt } from './question-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { RunRequest } from './run-request.ts'
import { INTENTS } from './run-result.ts'
import { tablesPrompt } from './schema-prompts.ts'
import { describeNow } from './time-context.ts'

const classificationSchema = z.object({
  intent: z.enum(INTENTS),
  /** null where the message stands on its own as it is: nobody waits for it to be repeated. */
  standalone_question: z.string().nullable(),
  /** For `catalog`: whether the list of tables is asked for or one table's description, and which table. */
  catalog_request: z.enum(['list', 'describe']).nullable(),
  table: z.string().nullable(),
  /** For `conversational` and `out_of_scope`: the answer, which saves a second call. */
  reply: z.string().nullable(),
})

export type Classification = z.infer<typeof classificationSchema> & { readonly standalone_question: string }

/** What makes the reading of a message the same call on resume. */
export function classifyingOf({ question }: RunRequest): {
  readonly key: StepKey
  readonly input: { readonly question: string }
} {
  return { key: { step: 'classify' }, input: { question } }
}

/**
 * Decides what the message is and makes it stand on its own. A reply that cannot be understood counts as
 * a data question: the worst that follows is a query that was not needed.
 */
export async function classify(context: RunContext, schema: Schema, signal: AbortSignal): Promise<Classification> {
  const { request, deps } = context
  const fallback = {
    intent: 'data_analysis',
    standalone_question: null,
    catalog_request: null,
    table: null,
    reply: null,
  } as const
  const classification = await askForJson(
    context,
    {
      step: 'classify',
      // What a follow-up means depends on what it follows.
      subject: [request.conversation.turns.at(-1)?.standalone_question, request.question]
        .filter(text => text !== undefined)
        .join('\n'),
      input: classifyingOf(request).input,
      values: {
        tables: tablesPrompt(schema),
        domain: deps.domain.overview,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(request.question),
      },
      output: { schema: classificationSchema },
      fallback,
    },
    signal,
  )
  const { standalone_question: rewritten } = classification
  // An empty rewriting would lose the question.
  return { ...classification, standalone_question: rewritten === null || rewritten.trim() === '' ? request.question : rewritten }
}
