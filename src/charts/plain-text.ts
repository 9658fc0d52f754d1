import { visibleText } from '../base/text/visible-text.ts'

/** Turns a text into one line without the characters that SVG forbids. */
export function plainText(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\ufffe\uffff]/g, '')
    .trim()
}
