const CITATION = /\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * Removes citations of unknown queries, so that nobody takes them for sources: `[Q9]` becomes plain text. The citation check decides whether the
 * claims are right.
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
