import { markdownHead } from '../../markdown/head.ts'
import { type LinkOptions, markdownPieces } from '../../markdown/pieces.ts'
import { type Span, spansText } from '../../markdown/span.ts'
import { shownText } from '../../shared/shown-text.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { escapeText } from '../text.ts'
import { pieceBlocks } from './blocks.ts'
import { SLACK_MARKDOWN } from './markdown.ts'
import type { SlackPart } from './part.ts'
import { piecesText, type SlackPiece } from './piece.ts'
import { splitPieces } from './split.ts'

/**
 * Renders the complete parts of an unfinished answer: headings, list items, tables and sentences. Later text does not change
 * these parts. Only parts that fit into the answer's first message are returned.
 */
export function streamedParts(answer: string, links: LinkOptions): readonly SlackPart[] {
  const pieces: readonly SlackPiece[] = markdownPieces(markdownHead(shownText(answer)), { ...SLACK_MARKDOWN, ...links })
  const last = pieces.at(-1)
  // The last piece may still grow. A paragraph is complete, because an answer grows by whole sentences. A list item is complete
  // once its line has ended. A table may still get rows.
  const isWhole = last?.kind === 'paragraph' || (last?.kind !== 'table' && answer.endsWith('\n'))
  const whole = isWhole ? pieces : pieces.slice(0, -1)
  // A heading is held back until the piece below it is complete.
  const end = whole.findLastIndex(({ kind }) => kind !== 'heading') + 1
  const [first = []] = splitPieces(whole.slice(0, end).flatMap(sentences))
  return first.slice(0, SLACK_LIMITS.blocks).map(piece => ({
    text: escapeText(piecesText([piece])),
    blocks: [...pieceBlocks([piece])] as SlackPart['blocks'],
  }))
}

const SENTENCE_END = /[.!?…](?:["')\]]|\s*\[Q\d+(?:\s*,\s*Q\d+)*\])*\s+(?=\S)(?!\[Q\d)/g

/** Splits a paragraph into sentences. Text that is added later does not move these splits. */
function sentences(piece: SlackPiece): readonly SlackPiece[] {
  if (piece.kind !== 'paragraph') return [piece]
  const ends = Array.from(spansText(piece.spans).matchAll(SENTENCE_END), match => match.index + match[0].length)
  return cutAt(piece.spans, ends).map(spans => ({ kind: 'paragraph', spans: spans.map(withoutEnd) }))
}

/**
 * Removes the space after the last sentence. That space arrives only with the next sentence, so it would change text that is
 * already shown.
 */
function withoutEnd(span: Span, index: number, spans: readonly Span[]): Span {
  return index === spans.length - 1 ? { ...span, text: span.text.trimEnd() } : span
}

/** Splits spans. `ends` has the end of each part, as an index into the joined text (in UTF-16 units). */
function cutAt(spans: readonly Span[], ends: readonly number[]): readonly (readonly Span[])[] {
  const parts: Span[][] = [[]]
  let position = 0
  for (const span of spans) {
    const cuts = ends.filter(end => end > position && end < position + span.text.length).map(end => end - position)
    for (const [index, from] of [0, ...cuts].entries()) {
      if (index > 0 || ends.includes(position + from)) parts.push([])
      parts.at(-1)?.push({ ...span, text: span.text.slice(from, cuts[index]) })
    }
    position += span.text.length
  }
  return parts.filter(part => part.length > 0)
}
