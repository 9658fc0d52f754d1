import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import { fenceData } from '../llm/data-fence.ts'

/** As long as a message of Slack can be. */
const MOST_CHARACTERS = 40_000

/** What the person wrote, as data: it says what they want to know, not what a step does. */
export function questionPrompt(question: string): string {
  return fenceData('question', cutCharacters(question, MOST_CHARACTERS))
}
