/** Control characters, escape sequences' introducers, bidirectional and zero-width marks: what could redraw or disguise a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what is looked for
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** Text of a model, a row or a person, made harmless for a terminal. Line ends and tabs stay. */
export function terminalText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSAFE, '')
}
