import { z } from 'zod'
import type { Schema } from '../clickhouse/schema.ts'
import type { StepKey } from '../history/run-log.ts'
import { SIZES } from '../sizes.ts'
import { askForJson } from './ask-model.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { investigationPrompt, LINEAGE } from './investigation.ts'
import { questionPrompt } from './question-prompt.ts'
import type { RunContext } from './run-context.ts'
import type { RunRequest } from './run-request.ts'
import { INTENTS } from './run-result.ts'
import { tablesPrompt } from './schema-prompts.ts'
import { describeNow } from './time-context.ts'

const classificationSchema = z.object({
  intent: z.enum(INTENTS),
  /** null where the message stands on its own as it is: nobody waits for it to be repeated. */
  standalone_question: z.string().max(SIZES.question).nullable(),
  /** For `catalog`: whether the list of tables is asked for or one table's description, and which table. */
  catalog_request: z.enum(['list', 'describe']).nullable(),
  table: z.string().nullable(),
  /** For `conversational` and `out_of_scope`: the answer, which saves a second call. */
  reply: z.string().nullable(),
  /** The message's language as an ISO 639 code; null where nothing tells. */
  language: z.string().nullable().default(null),
})

/** Where the thread has an investigation, the message may go on with it. */
const inInvestigation = classificationSchema.extend({ intent: z.enum([...INTENTS, LINEAGE]) })

export type Classification = z.infer<typeof inInvestigation> & { readonly standalone_question: string }

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
    language: null,
  } as const
  const output: { readonly schema: z.ZodType<z.infer<typeof inInvestigation>> } = {
    schema: request.investigation === null ? classificationSchema : inInvestigation,
  }
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
        // Not a placeholder of its own: an operator's prompt knows nothing of it, and others are the same to the letter.
        conversation: conversationPrompt(request.conversation) + investigationPrompt(request.investigation),
        question: questionPrompt(request.question),
      },
      output,
      fallback,
    },
    signal,
  )
  const { standalone_question: rewritten } = classification
  // An empty rewriting would lose the question.
  return { ...classification, standalone_question: rewritten === null || rewritten.trim() === '' ? request.question : rewritten }
}
