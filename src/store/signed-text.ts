import { createHmac, timingSafeEqual } from 'node:crypto'

/** The secret key that signs the values in Redis. Nobody can forge a value without it. */
export type StateKey = string

/** The length of a signature in characters: SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43

/**
 * Puts a signature before a text.
 * @param place the only place where the signature is valid, such as a Redis key
 */
export function signText(key: StateKey, place: string, text: string): string {
  return `${signatureOf(key, place, text)} ${text}`
}

/**
 * Checks a text's signature for this place, and returns the text without it. Returns undefined if the signature is missing or
 * wrong.
 */
export function openSigned(key: StateKey, place: string, signed: string): string | undefined {
  const given = Buffer.from(signed.slice(0, SIGNATURE_LENGTH))
  const text = signed.slice(SIGNATURE_LENGTH + 1)
  const expected = Buffer.from(signatureOf(key, place, text))
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined
}

/** Returns a digest that identifies a key but does not reveal it. */
export function keyFingerprint(key: StateKey): string {
  return signatureOf(key, 'fingerprint', '')
}

function signatureOf(key: StateKey, place: string, text: string): string {
  // The length of `place` comes first. Otherwise, a place "a b" with the text "c" would get the same signature as the place "a"
  // with the text "b c".
  return createHmac('sha256', key).update(`${place.length} ${place} `).update(text).digest('base64url')
}
