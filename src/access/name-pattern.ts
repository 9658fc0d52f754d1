/** `sales`, `p_*`, `*`: a name in which each `*` stands for any characters, none included. */
const WILDCARD = '*'

/** Whether a name, taken as it is written, fits the pattern. */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split(WILDCARD)
  const last = others.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  // The leftmost place of each piece leaves most room for those behind it.
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

/** Whether every name that fits `narrow` fits `wide`. A wildcard of `narrow` is a character like any other here, which only a wildcard of `wide` takes. */
export function patternCovers(wide: string, narrow: string): boolean {
  return fitsPattern(wide, narrow)
}

/** Whether certainly no name fits both: their beginnings or their ends differ. Says false where that does not show. */
export function patternsExclude(one: string, other: string): boolean {
  if (!one.includes(WILDCARD)) return !fitsPattern(other, one)
  if (!other.includes(WILDCARD)) return !fitsPattern(one, other)
  const [start, otherStart] = [one, other].map(pattern => pattern.slice(0, pattern.indexOf(WILDCARD)))
  const [end, otherEnd] = [one, other].map(pattern => pattern.slice(pattern.lastIndexOf(WILDCARD) + 1))
  return !agree(start ?? '', otherStart ?? '', 'startsWith') || !agree(end ?? '', otherEnd ?? '', 'endsWith')
}

function agree(one: string, other: string, by: 'startsWith' | 'endsWith'): boolean {
  return one[by](other) || other[by](one)
}
