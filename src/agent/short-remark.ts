import { cutCharacters } from '../clickhouse/catalog/plain-text.ts'
import { visibleText } from '../visible-text.ts'

const REMARK_CHARACTERS = 300

/** What a model said in passing, as a program shows it to people: one line, nothing hidden in it, and not long. */
export function shortRemark(text: string): string {
  return cutCharacters(visibleText(text).replace(/\s+/g, ' ').trim(), REMARK_CHARACTERS)
}
