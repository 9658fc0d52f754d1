/**
 * The text of the property `property` once its string is closed in a JSON text that is still being written; undefined before that. Inside a JSON
 * string every quote is escaped, so the key in bare quotes is the key.
 */
export function closedField(text: string, property: string): string | undefined {
  const literal = new RegExp(`(?<!\\\\)"${property}"\\s*:\\s*("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")`, 's').exec(text)?.[1]
  if (literal === undefined) return undefined
  try {
    return String(JSON.parse(literal))
  } catch {
    // A line break as it is, say: the whole answer tells whether it can be read.
    return undefined
  }
}
