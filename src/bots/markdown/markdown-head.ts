/** What of a Markdown text is laid out: more would go into a file all the same, and reading it takes time that nobody has. */
const MOST_CHARACTERS = 50_000

/** The head of a long Markdown text, cut between lines where there are any; a text that is not too long is whole. */
export function markdownHead(markdown: string): string {
  if (markdown.length <= MOST_CHARACTERS) return markdown
  const head = markdown.slice(0, MOST_CHARACTERS)
  const lines = head.slice(0, head.lastIndexOf('\n') + 1)
  return lines === '' ? head : lines
}
