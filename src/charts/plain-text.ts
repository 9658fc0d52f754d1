import { visibleText } from '../visible-text.ts'

/** On one line, and nothing that an SVG cannot hold. */
export function plainText(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\ufffe\uffff]/g, '')
    .trim()
}
