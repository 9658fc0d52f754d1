import { createHash } from 'node:crypto'

/**
 * Puts untrusted text (rows, comments, chat) between tags that it cannot close: the tag carries a hash of the text itself, so that
 * nobody who writes the text can know it. Unlike a random tag it is the same for the same text, which keeps prompts cacheable.
 * @param label what the text is, chosen by the program
 */
export function fenceData(label: string, text: string): string {
  const tag = `data-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  return `<${tag} of="${label}">\n${text}\n</${tag}>`
}
