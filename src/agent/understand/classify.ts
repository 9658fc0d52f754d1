import { z } from 'zod'
import { memoizePerObject } from '../../base/memoize.ts'
import { SIZES } from '../../base/sizes.ts'
import type { VerifiedQuery } from '../../domain/files.ts'
import type { StepKey } from '../../history/run-log.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { draftOf, draftPrompt } from '../draft/pipeline-draft.ts'
import { askForJson } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext, RunContext } from '../run/context.ts'
import { investigationPrompt, LINEAGE } from '../run/investigation.ts'
import type { RunRequest } from '../run/request.ts'
import { INTENTS } from '../run/result.ts'
import { describeNow } from '../run/time-context.ts'
import { tablesPrompt } from '../schema/schema-prompts.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { chosenQuerySchema, offeredPrompt } from './offered-queries.ts'
import { questionPrompt } from './question-prompt.ts'

const classificationSchema = z.object({
  intent: z.enum(INTENTS),
  /**
   * The question, rewritten to stand on its own. Null if the message already stands on its own, because repeating it would take
   * time.
   */
  standalone_question: z.string().max(SIZES.question).nullable(),
  /** For `catalog`: whether to list the tables or to describe `table`. */
  catalog_request: z.enum(['list', 'describe']).nullable(),
  table: z.string().nullable(),
  /** The answer to a `conversational` or `out_of_scope` message. With it, no second call is needed. */
  reply: z.string().nullable(),
  /** An ISO 639 code. Null if the model does not know the language. */
  language: z.string().nullable().default(null),
})

/** The form of the model's answer in a thread with an investigation, which the message may continue. */
const inInvestigation = classificationSchema.extend({ intent: z.enum([...INTENTS, LINEAGE]) })

/** The form of the model's answer if there are verified queries to choose from. It is made once, because zod compiles each form. */
const withVerified = memoizePerObject((plain: typeof classificationSchema | typeof inInvestigation) =>
  plain.extend({ verified: chosenQuerySchema }),
)

type ModelAnswer = z.infer<typeof inInvestigation> & {
  /** Present only if there are verified queries to choose from. */
  readonly verified?: z.infer<typeof chosenQuerySchema>
}
export type Classification = ModelAnswer & { readonly standalone_question: string }

/**
 * Returns the key and the input of the model call that classifies the message. They identify the call in the log of a resumed
 * run.
 * @param offered the verified queries from which the model may choose
 */
export function classifyingOf(
  { question }: RunRequest,
  offered: readonly VerifiedQuery[],
): { readonly key: StepKey; readonly input: Readonly<Record<string, unknown>> } {
  const verified = offered.map(({ question: text, sql }) => [text, sql])
  return { key: { step: 'classify' }, input: { question, ...(verified.length > 0 && { verified }) } }
}

/**
 * Decides the kind of a message, and rewrites the message to stand on its own. If the model's answer is invalid, the message is
 * treated as a data question, which costs at most one needless query.
 */
export async function classify(
  context: ModelContext & QuestionContext & Pick<RunContext, 'planned'>,
  schema: Schema,
  offered: readonly VerifiedQuery[],
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
  const plain = request.investigation === null ? classificationSchema : inInvestigation
  const output: { readonly schema: z.ZodType<ModelAnswer> } = {
    schema: offered.length === 0 ? plain : withVerified(plain),
  }
  const classification = await askForJson(
    context,
    {
      step: 'classify',
      // The subject includes the previous question, because after another question the same follow-up has another meaning.
      subject: [request.conversation.turns.at(-1)?.standalone_question, request.question]
        .filter(text => text !== undefined)
        .join('\n'),
      input: classifyingOf(request, offered).input,
      values: {
        tables: tablesPrompt(schema),
        // The verified questions share the placeholder of the overview, because a prompt that the operator has written may lack
        // their own.
        domain: domain().overview + offeredPrompt(offered),
        now: describeNow(request),
        // The investigation and the draft share the placeholder of the conversation, because a prompt that the operator has
        // written may lack their own. Without them, the prompt is the same as before.
        conversation:
          conversationPrompt(request.conversation) +
          investigationPrompt(request.investigation) +
          draftPrompt(draftOf(request.conversation)),
        question: questionPrompt(request.question),
      },
      dialects: context.planned?.map(({ parts }) => parts.dialect),
      output,
      fallback,
    },
    signal,
  )
  const { standalone_question: rewritten } = classification
  // If the rewritten question is empty, the message itself is used.
  return { ...classification, standalone_question: rewritten === null || rewritten.trim() === '' ? request.question : rewritten }
}
