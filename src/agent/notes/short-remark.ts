import { visibleText } from '../../base/text/visible-text.ts'
import { cutCharacters } from '../../warehouse/sql/plain-text.ts'
import { AGENT_LIMITS } from '../limits.ts'

/** Shortens a model's remark to one visible line for people. If possible, cuts it after a sentence, otherwise between two words. */
export function shortRemark(text: string): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim()
  const cut = cutCharacters(line, AGENT_LIMITS.notes.remarkCharacters)
  if (cut === line) return line
  return /^.*[.!?](?= \p{Lu})/u.exec(cut)?.[0] ?? cut.replace(/(?<![\s,;:–—-])[\s,;:–—-]+[^\s]{0,40}…$/u, '…')
}
