import { visibleText } from '../../base/text/visible-text.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { Interrupt } from './interrupt.ts'

/**
 * Turns a plan's clarifying question into a question with choices. The chosen label becomes the person's next message, so each
 * choice has its label as its value.
 */
export function clarificationInterrupt(said: { readonly question: string; readonly choices: readonly string[] }): Interrupt {
  const words = said.choices.map(choice =>
    cutCharacters(visibleText(choice).replace(/\s+/g, ' ').trim(), AGENT_LIMITS.askBack.choiceCharacters),
  )
  const choices = [...new Set(words)].filter(choice => choice !== '').slice(0, AGENT_LIMITS.askBack.choices)
  return {
    kind: 'need_clarification',
    question: said.question.trim(),
    choices: choices.map(choice => ({ value: choice, label: choice })),
  }
}
