import type { MarkdownRules } from '../markdown/markdown-pieces.ts'
import type { Span } from '../markdown/span.ts'

/** Addresses are escaped with all other text, so nothing more is done about them. */
export const DISCORD_MARKDOWN: MarkdownRules = {
  listIndent: 4,
  plainAddress: span => span,
  guard: spans => spans.map(withoutRiskyStyles),
}

/** Asterisks that touch others are taken for something else: a style that meets another one gives way. */
function withoutRiskyStyles(span: Span, index: number, spans: readonly Span[]): Span {
  const isMarked = (other: Span | undefined) => other !== undefined && (other.bold ?? other.italic ?? other.strike) === true
  const touches =
    (isMarked(spans[index - 1]) && !/\s$/.test(spans[index - 1]?.text ?? '') && !/^\s/.test(span.text)) ||
    (isMarked(spans[index + 1]) && !/^\s/.test(spans[index + 1]?.text ?? '') && !/\s$/.test(span.text))
  if (!touches || !isMarked(span)) return span
  const { bold: _bold, italic: _italic, strike: _strike, ...plain } = span
  return plain
}
