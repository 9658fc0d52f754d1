import { z } from 'zod'
import { openSigned, type StateKey, signText } from '../store/signed-text.ts'

/** A value in a queue's job, as signed text. */
export const signedSchema = z.object({ signed: z.string() })
export type Signed = z.infer<typeof signedSchema>

/**
 * Signs a value.
 * @param place names the only job, and the field in it, for which the signature is valid
 */
export function signValue(key: StateKey, place: string, value: unknown): Signed {
  return { signed: signText(key, place, JSON.stringify(value)) }
}

/** Returns the value that was signed for this place. Undefined for any other data. */
export function openValue(key: StateKey, place: string, data: unknown): unknown {
  const written = signedSchema.safeParse(data)
  const text = written.success ? openSigned(key, place, written.data.signed) : undefined
  return text === undefined ? undefined : JSON.parse(text)
}
