/**
 * Returns the string `property` of an unfinished JSON text, or undefined if it is not complete. JSON escapes quotes within strings, so the
 * quoted key matches only a real key.
 */
export function closedField(text: string, property: string): string | undefined {
  const literal = new RegExp(`(?<!\\\\)"${property}"\\s*:\\s*("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")`, 's').exec(text)?.[1]
  if (literal === undefined) return undefined
  try {
    return String(JSON.parse(literal))
  } catch {
    // The string may contain a raw line break. The parser of the whole answer decides whether that is readable.
    return undefined
  }
}
