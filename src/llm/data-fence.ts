import { createHash } from 'node:crypto'
import { visibleText } from '../visible-text.ts'

/**
 * What a model could take for the end of the data: a tag like ours, another closing tag with a hash in its name, or the marks with which servers of open
 * models divide messages, some of which find them in text too.
 */
const LOOK_ALIKE =
  /[<＜﹤](?=\\*\s*(?:[/／]\s*)?(?:data(?![a-z])|[^\s<>[]{0,20}[-_‐-―][0-9a-f]{8}|[|｜]|(?:s|bos|eos|start_of_turn|end_of_turn)>|<\/?SYS>))|\[(?=\\*\/?INST\])/giu

/**
 * Puts untrusted text (rows, comments, chat) between tags that it cannot close: the tag carries a hash of the text itself, so that
 * nobody who writes the text can know it. Unlike a random tag it is the same for the same text, which keeps prompts cacheable.
 * Nothing in the text is hidden, and what looks like a tag gets a backslash behind its bracket; taking one away from each gives the text back.
 * @param label what the text is, chosen by the program
 */
export function fenceData(label: string, text: string): string {
  const shown = visibleText(text).replace(LOOK_ALIKE, bracket => `${bracket}\\`)
  const tag = `data-${createHash('sha256').update(shown).digest('hex').slice(0, 24)}`
  return `<${tag} of="${label}">\n${shown}\n</${tag}>`
}
