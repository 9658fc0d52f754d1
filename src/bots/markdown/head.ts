/**
 * The Markdown that is laid out: ten messages of four thousand characters, the platforms' maximum. Anything longer goes into a
 * file, so laying it out wastes time.
 */
const MOST_CHARACTERS = 41_000

/** The start of a long Markdown text, cut between lines if possible. A short text stays whole. */
export function markdownHead(markdown: string, most = MOST_CHARACTERS): string {
  if (markdown.length <= most) return markdown
  const head = markdown.slice(0, most)
  const lines = head.slice(0, head.lastIndexOf('\n') + 1)
  return lines === '' ? head : lines
}
