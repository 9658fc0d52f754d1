import type { Schema } from '../../warehouse/schema.ts'
import { askForText } from '../run/ask-model.ts'
import type { ModelContext, QuestionContext } from '../run/context.ts'
import { describeNow } from '../run/time-context.ts'
import { tablesPrompt } from '../schema/schema-prompts.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { questionPrompt } from './question-prompt.ts'

/** Answers from the conversation alone, if the classify step wrote no reply. */
export async function respond(context: ModelContext & QuestionContext, schema: Schema, signal: AbortSignal): Promise<string> {
  const { request, domain } = context
  return askForText(
    context,
    {
      step: 'respond',
      subject: request.question,
      input: { question: request.question },
      values: {
        tables: tablesPrompt(schema),
        domain: domain().overview,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(request.question),
      },
    },
    signal,
  )
}
