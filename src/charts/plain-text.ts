import { visibleText } from '../base/text/visible-text.ts'

/** Puts a text on one line. Removes the characters that SVG forbids. */
export function plainText(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\ufffe\uffff]/g, '')
    .trim()
}
