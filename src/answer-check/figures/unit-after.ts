import { type Unit, writtenUnit } from './units.ts'

const UNIT = /^[\s\u00a0\u202f-]?(percentage points?|per cent|%|‰|[$€£]|[\p{L}µμ]+(?:\/[sh](?!\p{L}))?)/u

/** Reads the unit behind a number. `length` includes the space before it. */
export function unitAfter(after: string): { unit: Unit; length: number } | undefined {
  const match = UNIT.exec(after)
  const unit = match?.[1] === undefined ? undefined : writtenUnit(match[1])
  return unit && match ? { unit, length: match[0].length } : undefined
}
