import { createHash } from 'node:crypto'

/**
 * The header that names the person whose statement it is. Several processes share an embedded engine, which gives each person a share of its slots.
 * A server ignores the header.
 */
export const PERSON_HEADER = 'X-Clew-Person'

/** Returns a short hash of a person, so that no log of a proxy shows who asks. Returns '' for work for nobody in particular. */
export function personKey(person: string): string {
  return person === '' ? '' : createHash('sha256').update(person).digest('base64url').slice(0, 16)
}
