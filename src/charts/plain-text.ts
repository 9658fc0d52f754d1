import { visibleText } from '../base/visible-text.ts'

/** Returns one line without characters that SVG forbids. */
export function plainText(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\ufffe\uffff]/g, '')
    .trim()
}
