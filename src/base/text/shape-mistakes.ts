import type { z } from 'zod'

/**
 * A mistake in a file or a request that a person wrote. `path` says where it is. `sentence` continues after the path: "is missing", "must be a
 * text".
 */
export interface Mistake {
  readonly path: readonly PropertyKey[]
  readonly sentence: string
}

/**
 * Checks the content of a file that a person wrote. Returns every mistake in plain words. Messages that the schema itself sets
 * stay unchanged.
 */
export function readShape<Value>(
  schema: z.ZodType<Value>,
  written: unknown,
): { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly mistakes: readonly Mistake[] } {
  const parsed = schema.safeParse(written, { error: sentenceOf })
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false, mistakes: parsed.error.issues.flatMap(mistakesOf) }
}

/**
 * Puts the mistakes of a request in plain words, as `readShape` does. Messages that the schema sets for unions and formats stay.
 * @param given what was checked
 */
export function requestMistakes({ issues }: z.ZodError, given: unknown) {
  const inputOf = (path: readonly PropertyKey[]) => path.reduce((part, key) => Object(part)[key], given)
  return issues
    .flatMap(issue => {
      const raw = { ...issue, input: inputOf(issue.path) } as z.core.$ZodRawIssue
      const sentence = issue.code === 'invalid_union' ? undefined : sentenceOf(raw)
      return mistakesOf({ ...issue, message: sentence ?? issue.message })
    })
    .map(({ path, sentence }) => ({ path: path.join('.'), message: sentence }))
}

/**
 * Writes one mistake as a sentence, or several as a list with one mistake per line.
 * @param found the beginning of the text, such as "access.yaml is wrong"
 * @param advice where to find help
 */
export function mistakesSentence(found: string, mistakes: readonly string[], advice: string): string {
  if (mistakes.length === 1) return `${found}: ${mistakes[0]}. ${advice}`
  return `${found}:\n${mistakes.map(mistake => `- ${mistake}`).join('\n')}\n${advice}`
}

/**
 * Writes a path such as `parameters[0].name`. If the whole file is a list, leaves out the first index, because the line number
 * identifies the entry.
 */
export function propertyPath(path: readonly PropertyKey[]): string {
  const [first, ...rest] = path
  if (first === undefined) return 'the file'
  if (typeof first === 'number') return rest.length === 0 ? 'the entry' : propertyPath(rest)
  return [first, ...rest]
    .map(part => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .slice(1)
}

function mistakesOf(issue: z.core.$ZodIssue): readonly Mistake[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ path: [...issue.path, key], sentence: 'is not a known key' }))
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path: issue.path, sentence: message }))
  return [{ path: issue.path, sentence: issue.message }]
}

const SHAPES: Readonly<Record<string, string>> = {
  ...{ array: 'a list', object: 'keys with values', record: 'keys with values' },
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false' },
}
const UNITS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }
const MUST_BE = 'must be '

/** Describes one mistake in plain words. Returns undefined if zod's own message is clear enough. */
function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_type': {
      const shape = SHAPES[String(issue.expected)]
      return shape && `${MUST_BE}${shape}`
    }
    case 'invalid_value':
      return `${MUST_BE}${anyOf(issue.values.map(String))}`
    case 'invalid_union': {
      const said = issue.errors.flatMap(([first]) => (first === undefined ? [] : [first.message]))
      return said.every(text => text.startsWith(MUST_BE))
        ? `${MUST_BE}${anyOf(said.map(text => text.slice(MUST_BE.length)))}`
        : said[0]
    }
    case 'invalid_format':
      return issue.format === 'date' ? 'must be a day, such as 2026-01-31' : undefined
    case 'too_small':
      if (issue.origin in UNITS && Number(issue.minimum) === 1) return 'must not be empty'
      return `must ${UNITS[issue.origin] ? 'have' : 'be'} ${issue.inclusive ? '' : 'more than '}${issue.minimum}${UNITS[issue.origin] ?? ''}${issue.inclusive ? ' or more' : ''}`
    case 'too_big':
      return `must ${UNITS[issue.origin] ? 'have' : 'be'} ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${UNITS[issue.origin] ?? ''}`
    default:
      return undefined
  }
}

/** Lists alternatives: "a, b or c". */
export function anyOf(alternatives: readonly string[]): string {
  const each = [...new Set(alternatives)]
  const last = each.pop() ?? ''
  return each.length === 0 ? last : `${each.join(', ')} or ${last}`
}
