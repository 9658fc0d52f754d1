import { LLM_LIMITS } from '../limits.ts'

const JSON_OPENING = /^(\{\s*("|\}|$)|\[\s*([[{"\]\d-]|true|false|null|$))/

/**
 * Yields the complete JSON objects and arrays in a text, in order. The text may be one JSON value, or contain values between
 * prose, code fences and thoughts. An incomplete value ends the search: the values inside it are only parts of an answer.
 */
export function* jsonCandidates(text: string): Generator<unknown> {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  const whole = parseJson(trimmed)
  if (whole.ok) {
    if (typeof whole.value === 'object' && whole.value !== null) yield whole.value
    return
  }
  let position = 0
  for (let opening = 0; opening < LLM_LIMITS.openings; opening += 1) {
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

/**
 * Returns the end (exclusive) of the value that begins at `start`. Ignores brackets in strings. Undefined if the value is not
 * closed.
 */
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
