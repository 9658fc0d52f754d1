import { SIZES } from '../../base/sizes.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'

/** Writes the person's text for a prompt. The text is fenced as data, so that it cannot instruct a step. */
export function questionPrompt(question: string): string {
  return fenceData('question', cutCharacters(question, SIZES.question))
}
