import { MARKDOWN_LIMITS } from './limits.ts'

/** Returns the start of a long Markdown text, cut between lines if possible. A short text stays whole. */
export function markdownHead(markdown: string, most: number = MARKDOWN_LIMITS.laidOutCharacters): string {
  if (markdown.length <= most) return markdown
  const head = markdown.slice(0, most)
  const lines = head.slice(0, head.lastIndexOf('\n') + 1)
  return lines === '' ? head : lines
}
