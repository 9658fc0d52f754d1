/** Says which names exist, as the end of a sentence about one that does not. */
export function thereAre(names: readonly string[]): string {
  if (names.length === 0) return 'there is none'
  return names.length === 1 ? `there is only ${names[0]}` : `there are ${names.join(', ')}`
}
