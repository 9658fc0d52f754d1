import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import { fenceData } from '../llm/data-fence.ts'
import { SIZES } from '../sizes.ts'

/** The person's text, fenced as data: it cannot give a step instructions. */
export function questionPrompt(question: string): string {
  return fenceData('question', cutCharacters(question, SIZES.question))
}
