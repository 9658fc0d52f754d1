const CITATION = /\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g

/**
 * The answer with no citation but of this run's own queries: `[Q9]` of any other stays as the bare word, so that no reader takes it for a source. What a
 * sentence says on such grounds is marked by the citation check.
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
