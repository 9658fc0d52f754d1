/** Puts a text from a model or a person on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Puts a text from a model or a row on one line of Markdown. Formatting and links in the text have no effect. */
export function plainLine(text: string): string {
  return oneLine(text).replace(/[!-/:-@[-`{-~]/g, '\\$&')
}
