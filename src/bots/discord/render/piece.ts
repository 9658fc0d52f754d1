import { memoizePerObject } from '../../../base/memoize.ts'
import type { LaidOut, ListItem, Piece } from '../../markdown/piece.ts'
import { spansMarkdown } from './span.ts'

/** Discord highlights code in these languages. Any other word after a fence would appear as text. */
const LANGUAGES: ReadonlySet<string> = new Set(['sql', 'json', 'bash', 'python', 'yaml', 'xml', 'html'])

/**
 * Turns a piece into Discord Markdown. The layout has already turned tables into code or paragraphs. Results are cached, because
 * the layout needs them several times.
 */
export const pieceMarkdown = memoizePerObject((piece: LaidOut): string => {
  if (piece.kind === 'rule') return '———'
  if (piece.kind === 'code') return codeMarkdown(piece.text, piece.language)
  if (piece.kind === 'item') return itemMarkdown(piece)
  if (piece.kind === 'heading') return spansMarkdown(piece.spans.map(span => ({ ...span, bold: true as const })))
  const text = spansMarkdown(piece.spans)
  if (piece.kind === 'quote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (piece.kind === 'small') return `-# ${text.replace(/\n+/g, '\n-# ')}`
  return text
})

function itemMarkdown({ spans, indent, number }: ListItem): string {
  const text = spansMarkdown(spans).replaceAll('\n', `\n${'  '.repeat(indent + 1)}`)
  return `${'  '.repeat(indent)}${number === undefined ? '-' : `${number}.`} ${text}`
}

/**
 * Puts code into a fence of three back-ticks. Three back-ticks within the code would close the fence, so they are separated by
 * spaces.
 */
function codeMarkdown(text: string, language: string): string {
  const apart = text.replace(/`{3,}|(?<!`)`+$/g, run => (run.length < 3 ? `${run} ` : [...run].join(' ')))
  return `\`\`\`${LANGUAGES.has(language.toLowerCase()) ? language.toLowerCase() : ''}\n${apart}\n\`\`\``
}

export function piecesMarkdown(pieces: readonly LaidOut[]): string {
  return pieces.map((piece, index) => gapBefore(piece, pieces[index - 1]) + pieceMarkdown(piece)).join('')
}

/**
 * Returns the line breaks between two pieces. There is a blank line between paragraphs. There is none between list items, between
 * lines of small print or of a quote, around code, or after a heading.
 */
export function gapBefore(piece: Piece, previous: Piece | undefined): string {
  if (previous === undefined) return ''
  return isClose(previous, piece) ? '\n' : '\n\n'
}

function isClose(upper: Piece, lower: Piece): boolean {
  const alike = upper.kind === lower.kind && (lower.kind === 'item' || lower.kind === 'small' || lower.kind === 'quote')
  return alike || upper.kind === 'code' || lower.kind === 'code' || upper.kind === 'heading'
}
