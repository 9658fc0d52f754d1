/** Puts a text from a model or a person on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Puts a text from a model or a row on one line of Markdown. Formatting and links in the text have no effect. */
export function plainLine(text: string): string {
  return oneLine(text).replace(/[!-/:-@[-`{-~]/g, '\\$&')
}

/** Puts code in a fence that the code cannot close. */
export function fencedCode(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code}\n${fence}`
}
