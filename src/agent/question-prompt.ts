import { fenceData } from '../llm/data-fence.ts'

/** What the person wrote, as data: it says what they want to know, not what a step does. */
export function questionPrompt(question: string): string {
  return fenceData('question', question)
}
