import { createHash } from 'node:crypto'

/**
 * The HTTP header with the person who asks. Several processes share an embedded engine, and each person gets only a share of its
 * slots. A server ignores the header.
 */
export const PERSON_HEADER = 'X-Clew-Person'

/**
 * Returns a short hash of a person, so that the log of a proxy does not show who asks. Returns '' for work that belongs to no
 * person.
 */
export function personKey(person: string): string {
  return person === '' ? '' : createHash('sha256').update(person).digest('base64url').slice(0, 16)
}
