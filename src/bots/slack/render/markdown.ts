import type { MarkdownRules } from '../../markdown/pieces.ts'
import type { Span } from '../../markdown/span.ts'
import { SLACK_LIMITS } from '../limits.ts'

/** Slack's rules for Markdown. Outside code, Slack turns every address into a link. */
export const SLACK_MARKDOWN: MarkdownRules = {
  listIndent: SLACK_LIMITS.listIndent,
  plainAddress: span => ({ ...span, code: true }),
  guard: spans => spans.flatMap(guardAddresses),
}

/** Turns addresses into code if Slack would make links of them (`scheme://…`, `www.…`). */
function guardAddresses(span: Span): readonly Span[] {
  if (span.code !== undefined || span.link !== undefined) return [span]
  const spans: Span[] = []
  let position = 0
  for (const match of span.text.matchAll(/\b(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)[^\s<>`]+/gi)) {
    if (match.index > position) spans.push({ ...span, text: span.text.slice(position, match.index) })
    spans.push({ ...span, text: match[0], code: true })
    position = match.index + match[0].length
  }
  if (position < span.text.length) spans.push({ ...span, text: span.text.slice(position) })
  return spans
}
