import { oncePerObject } from '../../remembered.ts'
import type { Item, LaidOut, Piece } from '../markdown/piece.ts'
import { spansMarkdown } from './discord-span.ts'

/** What Discord colours; another word behind a fence is shown as text. */
const LANGUAGES: ReadonlySet<string> = new Set(['sql', 'json', 'bash', 'python', 'yaml', 'xml', 'html'])

/** A piece in Discord's Markdown. A table has been laid out as code or paragraphs before. It is asked for several times while pieces are laid out. */
export const pieceMarkdown = oncePerObject((piece: LaidOut): string => {
  if (piece.kind === 'rule') return '———'
  if (piece.kind === 'code') return codeMarkdown(piece.text, piece.language)
  if (piece.kind === 'item') return itemMarkdown(piece)
  if (piece.kind === 'heading') return spansMarkdown(piece.spans.map(span => ({ ...span, bold: true as const })))
  const text = spansMarkdown(piece.spans)
  if (piece.kind === 'quote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (piece.kind === 'small') return `-# ${text.replace(/\n+/g, '\n-# ')}`
  return text
})

function itemMarkdown({ spans, indent, number }: Item): string {
  const text = spansMarkdown(spans).replaceAll('\n', `\n${'  '.repeat(indent + 1)}`)
  return `${'  '.repeat(indent)}${number === undefined ? '-' : `${number}.`} ${text}`
}

/** A fence is closed by any three back-ticks, so those in the text are drawn apart. */
function codeMarkdown(text: string, language: string): string {
  const apart = text.replace(/`{3,}|(?<!`)`+$/g, run => (run.length < 3 ? `${run} ` : [...run].join(' ')))
  return `\`\`\`${LANGUAGES.has(language.toLowerCase()) ? language.toLowerCase() : ''}\n${apart}\n\`\`\``
}

/** Pieces one below the other. */
export function piecesMarkdown(pieces: readonly LaidOut[]): string {
  return pieces.map((piece, index) => gapBefore(piece, pieces[index - 1]) + pieceMarkdown(piece)).join('')
}

/** What stands between two pieces: a list stays together, code needs no blank line around it, all else stands in paragraphs. */
export function gapBefore(piece: Piece, previous: Piece | undefined): string {
  if (previous === undefined) return ''
  return isClose(previous, piece) ? '\n' : '\n\n'
}

function isClose(upper: Piece, lower: Piece): boolean {
  const alike = upper.kind === lower.kind && (lower.kind === 'item' || lower.kind === 'small' || lower.kind === 'quote')
  return alike || upper.kind === 'code' || lower.kind === 'code' || upper.kind === 'heading'
}
