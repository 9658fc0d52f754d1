import { escapeText } from './slack-text.ts'

/** A run of characters of one style. `link` is set only for addresses that may be linked. */
export interface Span {
  readonly text: string
  readonly bold?: true
  readonly italic?: true
  readonly strike?: true
  readonly code?: true
  readonly link?: string
  /** Mentions this person; only a notification has one. */
  readonly user?: string
}

/** What an answer is made of, before it is laid out as blocks: each piece is shown whole, or cut by `splitPiece`. */
export type Piece =
  | { readonly kind: 'paragraph' | 'heading' | 'quote'; readonly spans: readonly Span[] }
  | { readonly kind: 'item'; readonly spans: readonly Span[]; readonly indent: number; readonly number: number | undefined }
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  | { readonly kind: 'table'; readonly align: readonly Align[]; readonly header: Row; readonly rows: readonly Row[] }
  | { readonly kind: 'rule' }

export type Align = 'left' | 'center' | 'right'
export type Row = readonly (readonly Span[])[]

export function spansText(spans: readonly Span[]): string {
  return spans.map(span => span.text).join('')
}

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

/** How many rich-text elements a piece takes, about. */
export function pieceSpans(piece: Piece): number {
  if (piece.kind === 'rule' || piece.kind === 'code') return 1
  if (piece.kind === 'table') return [piece.header, ...piece.rows].flat(2).length
  return piece.spans.length
}

/** Pieces as plain text: the items of a list stand on lines, everything else stands in paragraphs. */
export function piecesText(pieces: readonly Piece[]): string {
  return pieces.reduce((text, piece, index) => {
    const isNextItem = piece.kind === 'item' && pieces[index - 1]?.kind === 'item'
    return `${text}${index === 0 ? '' : isNextItem ? '\n' : '\n\n'}${pieceText(piece)}`
  }, '')
}
