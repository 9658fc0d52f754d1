import type { Conversation } from '../history/conversation.ts'
import { fenceData } from '../llm/data-fence.ts'

/** Citations of an earlier answer mean its own queries; in a prompt they could be taken for those of the next. */
const CITATION = /\s*\[Q\d+(?:\s*,\s*Q\d+)*\]/g

/** The conversation as a prompt shows it: summary, the last turns, the entities last shown; all of it fenced as data. */
export function conversationPrompt(conversation: Conversation): string {
  if (conversation.turns.length === 0 && conversation.summary === '') return 'None: this is the first message.'
  const sections = [
    conversation.summary === '' ? '' : `Earlier, in short:\n${conversation.summary}`,
    ...conversation.turns.map(turn =>
      [
        `Person: ${turn.question}`,
        ...(turn.standalone_question === turn.question ? [] : [`(meant: ${turn.standalone_question})`]),
        ...turn.queries.map(query => `(looked up: ${query.question})`),
        `Clew: ${turn.answer.replace(CITATION, '')}`,
      ].join('\n'),
    ),
    conversation.entities.length === 0
      ? ''
      : `Entities last shown:\n${conversation.entities.map(list => `${list.column}: ${JSON.stringify(list.values)}`).join('\n')}`,
    conversation.active_table === null ? '' : `Table last described: ${conversation.active_table}`,
  ]
  return fenceData('conversation', sections.filter(section => section !== '').join('\n\n'))
}
