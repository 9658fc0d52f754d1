import { z } from 'zod'
import { SIZES } from '../../base/sizes.ts'
import type { StepKey } from '../../history/run-log.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext } from '../run/context.ts'
import { investigationPrompt, LINEAGE } from '../run/investigation.ts'
import type { RunRequest } from '../run/request.ts'
import { INTENTS } from '../run/result.ts'
import { describeNow } from '../run/time-context.ts'
import { tablesPrompt } from '../schema/schema-prompts.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { questionPrompt } from './question-prompt.ts'

const classificationSchema = z.object({
  intent: z.enum(INTENTS),
  /** null if the message already stands on its own, which saves the time to repeat it. */
  standalone_question: z.string().max(SIZES.question).nullable(),
  /** For `catalog`: a list of tables, or the description of `table`. */
  catalog_request: z.enum(['list', 'describe']).nullable(),
  table: z.string().nullable(),
  /** For `conversational` and `out_of_scope`: the answer, which saves a second call. */
  reply: z.string().nullable(),
  /** An ISO 639 code; null if unknown. */
  language: z.string().nullable().default(null),
})

/** For threads with an investigation, which the message may continue. */
const inInvestigation = classificationSchema.extend({ intent: z.enum([...INTENTS, LINEAGE]) })

export type Classification = z.infer<typeof inInvestigation> & { readonly standalone_question: string }

/** Identifies the call on resume. */
export function classifyingOf({ question }: RunRequest): {
  readonly key: StepKey
  readonly input: { readonly question: string }
} {
  return { key: { step: 'classify' }, input: { question } }
}

/**
 * Decides what kind of message it is, and rewrites it to stand on its own. An invalid reply counts as a data question, because
 * that costs a needless query at most.
 */
export async function classify(
  context: ModelContext & QuestionContext,
  schema: Schema,
  signal: AbortSignal,
): Promise<Classification> {
  const { request, domain } = context
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
      // The meaning of a follow-up depends on the previous question.
      subject: [request.conversation.turns.at(-1)?.standalone_question, request.question]
        .filter(text => text !== undefined)
        .join('\n'),
      input: classifyingOf(request).input,
      values: {
        tables: tablesPrompt(schema),
        domain: domain().overview,
        now: describeNow(request),
        // Not a placeholder of its own, because an operator's prompt may lack it. Other prompts stay identical.
        conversation: conversationPrompt(request.conversation) + investigationPrompt(request.investigation),
        question: questionPrompt(request.question),
      },
      output,
      fallback,
    },
    signal,
  )
  const { standalone_question: rewritten } = classification
  // An empty rewrite would lose the question.
  return { ...classification, standalone_question: rewritten === null || rewritten.trim() === '' ? request.question : rewritten }
}
