import { z } from 'zod'
import { anyOf } from './text/shape-mistakes.ts'

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
        error: `must start with ${anyOf(schemes.map(scheme => `\`${scheme}\``))}`,
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

/** Parses a number of bytes: "10 MB", "512kB", "1048576". Units are decimal, as in ClickHouse: 1 kB is 1,000 bytes. */
export function parseBytes(written: string, context: z.RefinementCtx): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kKmMgGtT]?[bB]?)$/.exec(written.trim()) ?? []
  const factor = { '': 1, b: 1, k: 1e3, kb: 1e3, m: 1e6, mb: 1e6, g: 1e9, gb: 1e9, t: 1e12, tb: 1e12 }[unit.toLowerCase()]
  const bytes = Math.round(Number(digits) * (factor ?? Number.NaN))
  if (bytes > 0) return bytes
  context.addIssue({ code: 'custom', message: 'must be a size such as 10 MB' })
  return z.NEVER
}
