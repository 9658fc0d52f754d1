import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import { fenceData } from '../llm/data-fence.ts'
import { SIZES } from '../sizes.ts'

/** What the person wrote, as data: it says what they want to know, not what a step does. */
export function questionPrompt(question: string): string {
  return fenceData('question', cutCharacters(question, SIZES.question))
}
