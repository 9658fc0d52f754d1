import type { Piece, Row } from '../markdown/piece.ts'
import type { Span } from '../markdown/span.ts'
import { escapeText } from './slack-text.ts'

/** A piece as plain text: what `text` shows where the blocks cannot be shown. */
export function pieceText(piece: Piece): string {
  if (piece.kind === 'rule') return '———'
  if (piece.kind === 'code') return piece.text.includes('```') ? unlinked(piece.text) : `\`\`\`\n${unlinked(piece.text)}\n\`\`\``
  if (piece.kind === 'table') return [piece.header, ...piece.rows].map(rowText).join('\n')
  const text = piece.spans.map(markedText).join('')
  if (piece.kind === 'quote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (piece.kind !== 'item') return text
  return `${'  '.repeat(piece.indent)}${piece.number === undefined ? '•' : `${piece.number}.`} ${text}`
}

function rowText(row: Row): string {
  return row.map(cell => cell.map(markedText).join('').replaceAll('\n', ' ')).join(' | ')
}

/** Code keeps its ticks, in which nothing is formatted. */
function markedText(span: Span): string {
  if (span.link !== undefined) return span.link === span.text ? span.text : `${unlinked(span.text)} (${span.link})`
  const text = unlinked(span.text)
  return span.code !== undefined && !/[`\n]/.test(text) ? `\`${text}\`` : text
}

/** Names of hosts that Slack takes for one without a scheme before them: with something behind them, or under one of the domains that everybody knows. */
const BARE_HOST =
  /\b(?:[a-z0-9-]+\.)+(?:[a-z]{2,24}(?=\/|[?#][\w%]|:\d)|(?:com|net|org|info|biz|io|ai|co|me|dev|app|xyz|top|site|online|shop|link|click|eu|de|uk|fr|nl|us|ca|cn|ru|in|br|jp)\b(?![.\w-]))/gi

/** Slack links addresses that it finds in `text`, wherever they stand: `http://host` is written `http[:]//host` there, `host.com` as `host[.]com`. */
function unlinked(text: string): string {
  return text
    .replaceAll('://', '[:]//')
    .replace(/\bwww\.(?=\S)/gi, match => `${match.slice(0, -1)}[.]`)
    .replace(/(?<=[\w.+-])@(?=[\w-]+\.\w)/g, '[@]')
    .replace(BARE_HOST, host => host.replace(/\.(?=[^.]*$)/, '[.]'))
}

/** A piece's length in `text`, where Slack's control characters take four or five characters each. */
export function pieceLength(piece: Piece): number {
  return escapeText(pieceText(piece)).length
}

/** A span's length there. */
export function spanLength(span: Span): number {
  return escapeText(markedText(span)).length
}

/** How many rich-text elements a piece takes, about. */
export function pieceSpans(piece: Piece): number {
  if (piece.kind === 'rule' || piece.kind === 'code') return 1
  if (piece.kind === 'table') return [piece.header, ...piece.rows].flat(2).length
  return piece.spans.length
}

/** Pieces as plain text: the items of a list stand on lines, everything else stands in paragraphs. */
export function piecesText(pieces: readonly Piece[]): string {
  return pieces.map((piece, index) => gapBefore(piece, pieces[index - 1]) + pieceText(piece)).join('')
}

export function gapBefore(piece: Piece, previous: Piece | undefined): string {
  if (previous === undefined) return ''
  return piece.kind === previous.kind && (piece.kind === 'item' || piece.kind === 'small') ? '\n' : '\n\n'
}
