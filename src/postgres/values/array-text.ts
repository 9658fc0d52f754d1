/** An array as the server writes it. NULL elements are null. */
export type ArrayText = readonly (string | null | ArrayText)[]

/**
 * Parses an array in the server's spelling, such as `{1,NULL,"a,b",{…}}`. Takes linear time, and no recursion deeper than the
 * server's six dimensions.
 * @returns undefined if the text is no such array
 */
export function parseArrayText(text: string): ArrayText | undefined {
  // An array whose first index is not 1 begins with its bounds: `[0:2]={1,2,3}`.
  const start = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  if (text[start] !== '{') return undefined
  const outer: (string | null | ArrayText)[][] = [[]]
  let at = start
  while (at < text.length) {
    const character = text[at]
    const current = outer.at(-1)
    if (current === undefined) return undefined
    if (character === '{') {
      if (outer.length > MOST_DIMENSIONS) return undefined
      outer.push([])
      at += 1
    } else if (character === '}') {
      outer.pop()
      outer.at(-1)?.push(current)
      at += 1
    } else if (character === ',') {
      at += 1
    } else {
      const element = character === '"' ? quoted(text, at) : plain(text, at)
      current.push(element.value)
      at = element.end
    }
  }
  const [whole] = outer
  const [array] = whole ?? []
  return outer.length === 1 && whole?.length === 1 && Array.isArray(array) ? array : undefined
}

const MOST_DIMENSIONS = 6

interface Element {
  readonly value: string | null
  readonly end: number
}

function quoted(text: string, start: number): Element {
  let value = ''
  let at = start + 1
  let copied = at
  while (at < text.length && text[at] !== '"') {
    if (text[at] === '\\') {
      value += text.slice(copied, at)
      copied = at + 1
      at += 1
    }
    at += 1
  }
  return { value: value + text.slice(copied, at), end: at + 1 }
}

function plain(text: string, start: number): Element {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1
  const value = text.slice(start, end)
  return { value: value === 'NULL' ? null : value, end }
}
