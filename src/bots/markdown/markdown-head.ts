/**
 * What of a Markdown text is laid out: ten messages of four thousand characters, as platforms show at most. More would go into a file all the same, and reading it
 * takes time that nobody has.
 */
const MOST_CHARACTERS = 41_000

/** The head of a long Markdown text, cut between lines where there are any; a text that is not too long is whole. */
export function markdownHead(markdown: string, most = MOST_CHARACTERS): string {
  if (markdown.length <= most) return markdown
  const head = markdown.slice(0, most)
  const lines = head.slice(0, head.lastIndexOf('\n') + 1)
  return lines === '' ? head : lines
}
