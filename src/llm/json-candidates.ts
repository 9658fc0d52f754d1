// More openings than this are noise, and each costs a walk over the rest of the text.
const MAX_OPENINGS = 100
const JSON_OPENING = /^(\{\s*("|\}|$)|\[\s*([[{"\]\d-]|true|false|null|$))/

/**
 * The JSON objects and arrays that stand in a text, complete ones only, from first to last: the whole text, or what is found between prose,
 * code fences and thoughts. A value that is cut off ends the search: what it holds inside is a part, never the answer.
 */
export function* jsonCandidates(text: string): Generator<unknown> {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  const whole = parseJson(trimmed)
  if (whole.ok) {
    if (typeof whole.value === 'object' && whole.value !== null) yield whole.value
    return
  }
  let position = 0
  for (let opening = 0; opening < MAX_OPENINGS; opening += 1) {
    const start = nextOpening(trimmed, position)
    if (start === -1) return
    const end = endOfValue(trimmed, start)
    if (end === undefined) {
      if (JSON_OPENING.test(trimmed.slice(start, start + 100))) return
      position = start + 1
      continue
    }
    const found = parseJson(trimmed.slice(start, end))
    if (found.ok) yield found.value
    position = end
  }
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

function nextOpening(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/)
  return offset === -1 ? -1 : from + offset
}

/** Where the bracket that opens at `start` is closed (exclusive), strings skipped; undefined where it never is. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return undefined
}
