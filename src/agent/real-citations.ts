const CITATION = /\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * Removes citations of queries that this run does not have: `[Q9]` becomes plain text, so that no reader takes it for a source. The citation check
 * judges such claims.
 */
export function withRealCitations(markdown: string, ids: ReadonlySet<string>): string {
  return markdown.replace(CITATION, (citation, list: string) => {
    const cited = list.split(',').map(id => id.trim())
    const real = cited.filter(id => ids.has(id))
    if (real.length === cited.length) return citation
    const others = cited.filter(id => !ids.has(id)).join(', ')
    return real.length === 0 ? others : `[${real.join(', ')}], ${others}`
  })
}
