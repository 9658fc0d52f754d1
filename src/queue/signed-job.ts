import { z } from 'zod'
import { openSigned, type StateKey, signText } from '../store/signed-text.ts'

/** The text that stands in a queue's job in place of a value. */
export const signedSchema = z.object({ signed: z.string() })
export type Signed = z.infer<typeof signedSchema>

/** @param place the job, and the part of it that the value is */
export function signValue(key: StateKey, place: string, value: unknown): Signed {
  return { signed: signText(key, place, JSON.stringify(value)) }
}

/** The value that was signed for this place. Undefined for anything else. */
export function openValue(key: StateKey, place: string, data: unknown): unknown {
  const written = signedSchema.safeParse(data)
  const text = written.success ? openSigned(key, place, written.data.signed) : undefined
  return text === undefined ? undefined : JSON.parse(text)
}
