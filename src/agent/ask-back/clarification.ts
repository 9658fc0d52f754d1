import { visibleText } from '../../base/text/visible-text.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import { InterruptError } from './interrupt.ts'

/**
 * Ends the run with a plan's clarifying question. The chosen label becomes the person's next message, so each choice has its label as
 * its value.
 * @param before what that message begins with
 */
export function askedBack(said: { readonly question: string; readonly choices: readonly string[] }, before = ''): InterruptError {
  const words = said.choices.map(choice =>
    cutCharacters(visibleText(choice).replace(/\s+/g, ' ').trim(), AGENT_LIMITS.askBack.choiceCharacters),
  )
  const choices = [...new Set(words)].filter(choice => choice !== '').slice(0, AGENT_LIMITS.askBack.choices)
  const offered = choices.map(choice => ({ value: before + choice, label: choice }))
  return new InterruptError({ kind: 'need_clarification', question: said.question.trim(), choices: offered }, [])
}
