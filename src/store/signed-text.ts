import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs values in Redis, so that nobody without the key can forge them. */
export type StateKey = string

/** Length of a signature: SHA-256 in base64url. */
const SIGNATURE_LENGTH = 43

/**
 * Prefixes a text with its signature.
 * @param place the signature is valid only there
 */
export function signText(key: StateKey, place: string, text: string): string {
  return `${signatureOf(key, place, text)} ${text}`
}

/** Returns the text that was signed for this place. Undefined if the signature is missing or wrong. */
export function openSigned(key: StateKey, place: string, signed: string): string | undefined {
  const given = Buffer.from(signed.slice(0, SIGNATURE_LENGTH))
  const text = signed.slice(SIGNATURE_LENGTH + 1)
  const expected = Buffer.from(signatureOf(key, place, text))
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined
}

/** Identifies a key without revealing it. */
export function keyFingerprint(key: StateKey): string {
  return signatureOf(key, 'fingerprint', '')
}

function signatureOf(key: StateKey, place: string, text: string): string {
  // The length separates place and text unambiguously.
  return createHmac('sha256', key).update(`${place.length} ${place} `).update(text).digest('base64url')
}
