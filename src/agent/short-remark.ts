import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import { visibleText } from '../visible-text.ts'

const REMARK_CHARACTERS = 300

/** What a model said in passing, as a program shows it to people: one line, nothing hidden in it, and not long; cut between words where there are any. */
export function shortRemark(text: string): string {
  const line = visibleText(text).replace(/\s+/g, ' ').trim()
  const cut = cutCharacters(line, REMARK_CHARACTERS)
  return cut === line ? line : cut.replace(/(?<![\s,;:–—-])[\s,;:–—-]+[^\s]{0,40}…$/u, '…')
}
