/** Up to `most` of `candidates` that `name` may have been meant as, the nearest first; letter case is ignored. */
export function nearNames(name: string, candidates: Iterable<string>, most = 3): readonly string[] {
  const wanted = name.toLowerCase()
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const scored: { readonly candidate: string; readonly distance: number }[] = []
  for (const candidate of candidates) {
    const other = candidate.toLowerCase()
    const contained = wanted.length >= 3 && (other.includes(wanted) || (other.length >= 3 && wanted.includes(other)))
    const distance = contained ? Math.min(limit, Math.abs(other.length - wanted.length)) : editDistance(wanted, other, limit)
    if (distance <= limit) scored.push({ candidate, distance })
  }
  return scored
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate))
    .slice(0, most)
    .map(({ candidate }) => candidate)
}

/** Levenshtein distance, or anything above `limit` as soon as it must be above. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > limit) return limit + 1
    row = next
  }
  return row.at(-1) ?? 0
}
