import type { Schema } from '../clickhouse/schema.ts'
import { askForText } from './ask-model.ts'
import { conversationPrompt } from './conversation-prompt.ts'
import { questionPrompt } from './question-prompt.ts'
import type { RunContext } from './run-context.ts'
import { tablesPrompt } from './schema-prompts.ts'
import { describeNow } from './time-context.ts'

/** Answers from the conversation alone, if classify gave no reply. */
export async function respond(context: RunContext, schema: Schema, signal: AbortSignal): Promise<string> {
  const { request, deps } = context
  return askForText(
    context,
    {
      step: 'respond',
      subject: request.question,
      input: { question: request.question },
      values: {
        tables: tablesPrompt(schema),
        domain: deps.domain.overview,
        now: describeNow(request),
        conversation: conversationPrompt(request.conversation),
        question: questionPrompt(request.question),
      },
    },
    signal,
  )
}
