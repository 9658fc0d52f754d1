import type { MarkdownRules } from '../../markdown/pieces.ts'
import type { Span } from '../../markdown/span.ts'

/** Discord's rules for Markdown. Addresses need no rule of their own, because all text is escaped. */
export const DISCORD_MARKDOWN: MarkdownRules = {
  listIndent: 4,
  plainAddress: span => span,
  guard: spans => spans.map(withoutRiskyStyles),
}

/** Drops a style that touches another one, because Discord misreads adjacent asterisks. */
function withoutRiskyStyles(span: Span, index: number, spans: readonly Span[]): Span {
  const isMarked = (other: Span | undefined) => other !== undefined && (other.bold ?? other.italic ?? other.strike) === true
  const touches =
    (isMarked(spans[index - 1]) && !/\s$/.test(spans[index - 1]?.text ?? '') && !/^\s/.test(span.text)) ||
    (isMarked(spans[index + 1]) && !/^\s/.test(spans[index + 1]?.text ?? '') && !/\s$/.test(span.text))
  if (!touches || !isMarked(span)) return span
  const { bold: _bold, italic: _italic, strike: _strike, ...plain } = span
  return plain
}
