import { Allow, parse } from 'partial-json'

/**
 * Returns the complete objects of the array `property` in an unfinished JSON text. JSON escapes quotes within strings, so the quoted key
 * matches only a real key.
 */
export function closedElements(text: string, property: string): readonly unknown[] {
  const key = new RegExp(`(?<!\\\\)"${property}"\\s*:\\s*(?=\\[)`).exec(text)
  if (key === null) return []
  try {
    const elements: unknown = parse(text.slice(key.index + key[0].length), Allow.ARR)
    return Array.isArray(elements) ? elements.filter(element => typeof element === 'object' && element !== null) : []
  } catch {
    return []
  }
}
