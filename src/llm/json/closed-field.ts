/** Returns the closed string `property` of an unfinished JSON text, or undefined. JSON escapes quotes, so the quoted key matches only itself. */
export function closedField(text: string, property: string): string | undefined {
  const literal = new RegExp(`(?<!\\\\)"${property}"\\s*:\\s*("[^"\\\\]*(?:\\\\.[^"\\\\]*)*")`, 's').exec(text)?.[1]
  if (literal === undefined) return undefined
  try {
    return String(JSON.parse(literal))
  } catch {
    // It may hold a raw line break. The whole answer decides whether it is readable.
    return undefined
  }
}
