import { visibleText } from '../../base/text/visible-text.ts'
import type { Conversation, ConversationTurn, EntityList } from '../../history/conversation.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { LINEAGE } from '../run/investigation.ts'

/**
 * Matches the citations in an earlier answer. They are removed from prompts, because the model might copy them into its next
 * answer.
 */
const CITATION = /(?<!\s)\s*\[[QE]\d+(?:\s*,\s*[QE]\d+)*\]/g

/**
 * Writes the conversation for a prompt: the summary, the last turns and the names that were last shown. It is fenced as data.
 * Only the program's own lines start at the margin, so that no text can look like another speaker's. Empty for a first message.
 */
export function conversationPrompt(conversation: Conversation): string {
  if (conversation.turns.length === 0 && conversation.summary === '') return ''
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
    conversation.entities.length === 0 ? '' : `Entities last shown:\n${conversation.entities.map(listed).join('\n')}`,
    conversation.active_table === null ? '' : `Table last described: ${said(conversation.active_table)}`,
  ]
  return fenceData('conversation', sections.filter(section => section !== '').join('\n\n'))
}

function listed({ column, values, more }: EntityList): string {
  return `${said(column)}: ${JSON.stringify(values)}${more === undefined ? '' : ` and ${more} more`}`
}

/** Writes the turns that a model is to summarise. */
export function turnsPrompt(turns: readonly ConversationTurn[]): string {
  return fenceData(
    'turns',
    turns.map(turn => `Person: ${said(turn.standalone_question)}\nClew: ${said(turn.answer)}`).join('\n\n'),
  )
}

/** Indents all lines of a speaker's text except the first. */
function said(text: string): string {
  return visibleText(text).replace(CITATION, '').replaceAll('\n', '\n  ')
}
