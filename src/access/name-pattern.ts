/** The sign that stands for any number of characters in a pattern such as `p_*`, including none. */
const WILDCARD = '*'

export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split(WILDCARD)
  const last = others.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  // The leftmost match of each piece leaves the most text for the pieces that follow.
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

/**
 * Whether every name that fits `narrow` also fits `wide`. A `*` in `narrow` counts as a plain character, which only a `*` in `wide`
 * matches.
 */
export function patternCovers(wide: string, narrow: string): boolean {
  return fitsPattern(wide, narrow)
}

/** True if certainly no name fits both patterns, because their beginnings or ends differ. False means uncertain. */
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
