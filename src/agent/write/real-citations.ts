const CITATION = /\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * Turns citations of unknown queries, such as `[Q9]`, into plain text, so that nobody takes them for sources. Whether the claims
 * are true is checked elsewhere.
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
