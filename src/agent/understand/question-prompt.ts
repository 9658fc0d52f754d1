import { SIZES } from '../../base/sizes.ts'
import { fenceData } from '../../llm/data-fence.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'

/** The person's text, fenced as data: it cannot give a step instructions. */
export function questionPrompt(question: string): string {
  return fenceData('question', cutCharacters(question, SIZES.question))
}
