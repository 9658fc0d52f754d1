import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 } as const
const LAST = 0x10ffff

/** Draws any Unicode character. For its unit `binary`, fast-check would first build a table of a million characters, which takes a second. */
export const anyCharacter = fc.nat(LAST - SURROGATES.count).map(characterOf, indexOf)

function characterOf(index: number): string {
  return String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count)
}

function indexOf(character: unknown): number {
  if (typeof character !== 'string' || [...character].length !== 1) throw new Error('Not a single character')
  const code = character.codePointAt(0) ?? 0
  return code < SURROGATES.first ? code : code - SURROGATES.count
}
