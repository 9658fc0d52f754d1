import { Allow, parse } from 'partial-json'

/** Returns the closed objects of array `property` in an unfinished JSON text. JSON escapes quotes, so the quoted key matches only itself. */
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
