import type { Conversation, ConversationTurn } from '../history/conversation.ts'
import { fenceData } from '../llm/data-fence.ts'
import { visibleText } from '../visible-text.ts'
import { LINEAGE } from './investigation.ts'

/** Citations of an earlier answer mean its own queries; in a prompt they could be taken for those of the next. */
const CITATION = /(?<!\s)\s*\[[QE]\d+(?:\s*,\s*[QE]\d+)*\]/g

/**
 * The conversation as a prompt shows it: summary, the last turns, the entities last shown; all of it fenced as data. Only the program begins a line at
 * the margin, so that nobody's text can pass for another speaker's.
 */
export function conversationPrompt(conversation: Conversation): string {
  if (conversation.turns.length === 0 && conversation.summary === '') return 'None: this is the first message.'
  const sections = [
    conversation.summary === '' ? '' : `Earlier, in short:\n  ${said(conversation.summary)}`,
    ...conversation.turns.map(turn =>
      [
        `Person: ${said(turn.question)}`,
        ...(turn.standalone_question === turn.question ? [] : [`(meant: ${said(turn.standalone_question)})`]),
        ...turn.queries.map(query => `(looked up: ${said(query.question)})`),
        ...(turn.intent === LINEAGE ? ['(an investigation of a pipeline)'] : []),
        `Clew: ${said(turn.answer)}`,
      ].join('\n'),
    ),
    conversation.entities.length === 0
      ? ''
      : `Entities last shown:\n${conversation.entities.map(list => `${said(list.column)}: ${JSON.stringify(list.values)}`).join('\n')}`,
    conversation.active_table === null ? '' : `Table last described: ${said(conversation.active_table)}`,
  ]
  return fenceData('conversation', sections.filter(section => section !== '').join('\n\n'))
}

/** Turns that leave the conversation, as the prompt that keeps their gist shows them. */
export function turnsPrompt(turns: readonly ConversationTurn[]): string {
  return fenceData(
    'turns',
    turns.map(turn => `Person: ${said(turn.standalone_question)}\nClew: ${said(turn.answer)}`).join('\n\n'),
  )
}

/** Somebody's words behind their name: further lines are indented. */
function said(text: string): string {
  return visibleText(text).replace(CITATION, '').replaceAll('\n', '\n  ')
}
