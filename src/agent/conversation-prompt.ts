import type { Conversation } from '../history/conversation.ts'
import { fenceData } from '../llm/data-fence.ts'

/** The conversation as a prompt shows it: summary, the last turns, the entities last shown; all of it fenced as data. */
export function conversationPrompt(conversation: Conversation): string {
  if (conversation.turns.length === 0 && conversation.summary === '') return 'None: this is the first message.'
  const sections = [
    conversation.summary === '' ? '' : `Earlier, in short:\n${conversation.summary}`,
    ...conversation.turns.map(turn =>
      [
        `Person: ${turn.question}`,
        ...(turn.standalone_question === turn.question ? [] : [`(meant: ${turn.standalone_question})`]),
        ...turn.queries.map(query => `(${query.id} ran for "${query.question}": ${query.sql})`),
        `Clew: ${turn.answer}`,
      ].join('\n'),
    ),
    conversation.entities.length === 0
      ? ''
      : `Entities last shown:\n${conversation.entities.map(list => `${list.column}: ${list.values.join(', ')}`).join('\n')}`,
    conversation.active_table === null ? '' : `Table last described: ${conversation.active_table}`,
  ]
  return fenceData('conversation', sections.filter(section => section !== '').join('\n\n'))
}
