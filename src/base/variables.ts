import { z } from 'zod'

// Makes a schema treat an empty environment variable as if it were not set.

export const blankAsAbsent = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)
export const optionalText = z.preprocess(blankAsAbsent, z.string().trim().optional())

export const address = (schemes: readonly string[]) =>
  z.preprocess(
    blankAsAbsent,
    z
      .string()
      .trim()
      .refine(value => schemes.some(scheme => value.startsWith(scheme)), {
        error: `must start with ${schemes.join(', ')}`,
        abort: true,
      })
      .refine(value => !/^https?:/.test(value) || isWholeAddress(value), {
        error: 'must be a whole address, with what is special in its user and password percent-encoded (%40 for @, %25 for %)',
      })
      .optional(),
  )
export const prefixed = (prefix: string, kind: string) =>
  z.preprocess(
    blankAsAbsent,
    z
      .string()
      .trim()
      .startsWith(prefix, { error: `must be ${kind}, which starts with ${prefix}` })
      .optional(),
  )

export const patterned = (pattern: RegExp, kind: string) =>
  z.preprocess(
    blankAsAbsent,
    z
      .string()
      .trim()
      .regex(pattern, { error: `must be ${kind}` })
      .optional(),
  )

function isWholeAddress(text: string): boolean {
  return URL.canParse(text) && decoded(new URL(text).username) !== undefined && decoded(new URL(text).password) !== undefined
}

/** Decodes percent-encoding. Returns undefined if it is malformed. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
