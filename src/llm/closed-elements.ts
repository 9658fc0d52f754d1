import { Allow, parse } from 'partial-json'

/**
 * The objects of the array `property` that are already closed in a JSON text still being written. Inside a JSON string every quote is
 * escaped, so the key in bare quotes is the key.
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
