import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs what is kept in Redis: whoever writes there without the key is not believed. */
export type StateKey = string

/** Characters of a signature: SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43

/** A text with its signature before it. @param place where it stands: elsewhere the signature is worth nothing */
export function signText(key: StateKey, place: string, text: string): string {
  return `${signatureOf(key, place, text)} ${text}`
}

/** The text that was signed for this place; undefined where the signature is missing or wrong. */
export function openSigned(key: StateKey, place: string, signed: string): string | undefined {
  const given = Buffer.from(signed.slice(0, SIGNATURE_LENGTH))
  const text = signed.slice(SIGNATURE_LENGTH + 1)
  const expected = Buffer.from(signatureOf(key, place, text))
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined
}

/** Tells keys from each other, and nothing else. */
export function fingerprintOf(key: StateKey): string {
  return signatureOf(key, 'fingerprint', '')
}

function signatureOf(key: StateKey, place: string, text: string): string {
  // The length keeps a place and a text apart, whatever stands in them.
  return createHmac('sha256', key).update(`${place.length} ${place} `).update(text).digest('base64url')
}
