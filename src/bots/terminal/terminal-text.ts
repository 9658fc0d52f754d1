/**
 * Control characters (the introducers of escape sequences among them), line separators, bidirectional and zero-width marks, tags: what could redraw or disguise
 * a terminal. The joiners of emoji and of Indic and Arabic letters stay.
 */
const UNSAFE = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Text of a model, a row or a person, made harmless for a terminal. Line ends and tabs stay. */
export function terminalText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSAFE, '')
}
