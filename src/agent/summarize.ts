import { type Conversation, overflow, withSummary } from '../history/conversation.ts'
import { fenceData } from '../llm/data-fence.ts'
import { askForText } from './ask-model.ts'
import { turnsPrompt } from './conversation-prompt.ts'
import type { RunContext } from './run-context.ts'

/** Folds the turns beyond the last `keep` into the summary; the same conversation where there are none. */
export async function summarize(
  context: RunContext,
  conversation: Conversation,
  keep: number,
  signal: AbortSignal,
): Promise<Conversation> {
  const turns = overflow(conversation, keep)
  if (turns.length === 0) return conversation
  const summary = await askForText(
    context,
    {
      step: 'summarize',
      subject: turns.map(turn => turn.standalone_question).join('\n'),
      input: { summary: conversation.summary, turns: turns.map(turn => turn.run_id) },
      values: {
        summary: conversation.summary === '' ? 'None yet.' : fenceData('memory', conversation.summary),
        turns: turnsPrompt(turns),
      },
    },
    signal,
  )
  return withSummary(conversation, summary, keep)
}
