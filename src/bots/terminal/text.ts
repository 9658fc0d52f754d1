/**
 * Matches characters that could redraw the terminal or disguise text: control characters, line separators, bidirectional and
 * zero-width marks, tags. Joiners of emoji, Indic and Arabic letters are allowed.
 */
const UNSAFE = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Makes text from a model, a row or a person safe for a terminal. Line breaks and tabs stay. */
export function terminalText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSAFE, '')
}
