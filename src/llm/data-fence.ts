import { createHash } from 'node:crypto'
import { visibleText } from '../base/text/visible-text.ts'

/**
 * Matches text that a model could take for the end of the data. There are three kinds: text that looks like our tag, any closing
 * tag that contains a hash, and separators between messages such as `[INST]`. Some servers for open models obey such separators
 * even inside a message.
 */
const LOOK_ALIKE =
  /[<＜﹤](?=\\*\s*(?:[/／]\s*)?(?:data(?![a-z])|[^\s<>[]{0,20}[-_‐-―][0-9a-f]{8}|[|｜]|(?:s|bos|eos|start_of_turn|end_of_turn)>|<\/?SYS>))|\[(?=\\*\/?INST\])/giu

/** An author needs about 2⁶⁴ tries for a text with its own tag. Even then, the text's brackets have their backslashes. */
const TAG_DIGITS = 16

/**
 * Encloses untrusted text (rows, comments, chat) in tags that the text cannot close. The tag contains a hash of the text, so no
 * author can write a text that contains its own tag. Unlike a random tag, this tag stays the same for the same text, so prompts
 * stay cacheable. The text stays complete: a look-alike tag only gets a backslash after its bracket.
 * @param label a name for the text, chosen by the program
 */
export function fenceData(label: string, text: string): string {
  const shown = visibleText(text).replace(LOOK_ALIKE, bracket => `${bracket}\\`)
  const tag = `data-${createHash('sha256').update(shown).digest('hex').slice(0, TAG_DIGITS)}`
  return `<${tag} of="${label}">\n${shown}\n</${tag}>`
}
