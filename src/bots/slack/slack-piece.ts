import type { Picture } from '../../agent/picture.ts'
import { oncePerObject } from '../../remembered.ts'
import type { Piece, Row } from '../markdown/piece.ts'
import type { Span } from '../markdown/span.ts'
import { chartTitle } from './slack-chart.ts'
import { escapeText } from './slack-text.ts'

/** A chart that Slack draws itself stands between the pieces of an answer. */
export type SlackPiece = Piece | { readonly kind: 'chart'; readonly chart: Picture }

/** A piece as plain text: what `text` shows where the blocks cannot be shown. It is asked for several times while pieces are laid out. */
export const pieceText = oncePerObject((piece: SlackPiece): string => {
  if (piece.kind === 'rule') return '———'
  if (piece.kind === 'chart') return `📊 ${unlinked(chartTitle(piece.chart))}`
  if (piece.kind === 'code') return piece.text.includes('```') ? unlinked(piece.text) : `\`\`\`\n${unlinked(piece.text)}\n\`\`\``
  if (piece.kind === 'table') return [piece.header, ...piece.rows].map(rowText).join('\n')
  const text = piece.spans.map(markedText).join('')
  if (piece.kind === 'quote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (piece.kind !== 'item') return text
  return `${'  '.repeat(piece.indent)}${piece.number === undefined ? '•' : `${piece.number}.`} ${text}`
})

const rowText = oncePerObject((row: Row): string =>
  row.map(cell => cell.map(markedText).join('').replaceAll('\n', ' ')).join(' | '),
)

/** Code keeps its ticks, in which nothing is formatted. */
function markedText(span: Span): string {
  if (span.link !== undefined) return span.link === span.text ? span.text : `${unlinked(span.text)} (${span.link})`
  const text = unlinked(span.text)
  return span.code !== undefined && !/[`\n]/.test(text) ? `\`${text}\`` : text
}

/** What reads like the name of a host, to its end: matched from its head only, so that long runs without an end cost no more than others. */
const HOST = /(?<![\w-])[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi
/** Under one of the domains that everybody knows. */
const KNOWN_DOMAIN =
  /\.(?:com|net|org|info|biz|io|ai|co|me|dev|app|xyz|top|site|online|shop|link|click|eu|de|uk|fr|nl|us|ca|cn|ru|in|br|jp)$/i

/** Slack links addresses that it finds in `text`, wherever they stand: `http://host` is written `http[:]//host` there, `host.com` as `host[.]com`. */
function unlinked(text: string): string {
  if (!/[.@]|:\/\//.test(text)) return text
  return text
    .replaceAll('://', '[:]//')
    .replace(/\bwww\.(?=\S)/gi, match => `${match.slice(0, -1)}[.]`)
    .replace(/(?<=[\w.+-])@(?=[\w-]+\.\w)/g, '[@]')
    .replace(HOST, (name: string, offset: number, whole: string) => {
      const isHost = readsAsHost(name, whole.slice(offset + name.length, offset + name.length + 2))
      return isHost ? name.replace(/\.(?=[^.]*$)/, '[.]') : name
    })
}

/** Slack takes a name without a scheme for a host where a path, a query or a port follows, or where its domain is known. */
function readsAsHost(name: string, next: string): boolean {
  if (KNOWN_DOMAIN.test(name) && !/^(?:\w|\.\w)/.test(next)) return true
  return /\.[a-z]{2,24}$/i.test(name) && /^(?:\/|[?#][\w%]|:\d)/.test(next)
}

/** A piece's length in `text`, where Slack's control characters take four or five characters each. */
export const pieceLength = oncePerObject((piece: SlackPiece): number => escapeText(pieceText(piece)).length)

/** A row's length there. */
export function rowLength(row: Row): number {
  return escapeText(rowText(row)).length
}

/** A span's length there. */
export function spanLength(span: Span): number {
  return escapeText(markedText(span)).length
}

/** How many rich-text elements a piece takes, about. */
export function pieceSpans(piece: SlackPiece): number {
  if (piece.kind === 'table') return [piece.header, ...piece.rows].flat(2).length
  return 'spans' in piece ? piece.spans.length : 1
}

/** Pieces as plain text: the items of a list stand on lines, everything else stands in paragraphs. */
export function piecesText(pieces: readonly SlackPiece[]): string {
  return pieces.map((piece, index) => gapBefore(piece, pieces[index - 1]) + pieceText(piece)).join('')
}

export function gapBefore(piece: SlackPiece, previous: SlackPiece | undefined): string {
  if (previous === undefined) return ''
  return piece.kind === previous.kind && (piece.kind === 'item' || piece.kind === 'small') ? '\n' : '\n\n'
}
