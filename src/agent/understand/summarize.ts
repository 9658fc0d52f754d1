import type { Conversation } from '../../history/conversation.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { askForText } from '../run/ask-model.ts'
import type { ModelContext } from '../run/context.ts'
import { turnsPrompt } from './conversation-prompt.ts'

/** Summarises the previous summary and the turns after it in a new summary. */
export async function summarize(
  context: ModelContext,
  { summary, turns }: Pick<Conversation, 'summary' | 'turns'>,
  signal: AbortSignal,
): Promise<string> {
  return askForText(
    context,
    {
      step: 'summarize',
      subject: turns.map(turn => turn.standalone_question).join('\n'),
      input: { summary, turns: turns.map(turn => turn.run_id) },
      values: {
        summary: summary === '' ? 'None yet.' : fenceData('memory', summary),
        turns: turnsPrompt(turns),
      },
    },
    signal,
  )
}
