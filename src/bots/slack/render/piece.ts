import { memoizePerObject } from '../../../base/memoize.ts'
import type { Picture } from '../../../charts/picture.ts'
import type { Piece, Row } from '../../markdown/piece.ts'
import type { Span } from '../../markdown/span.ts'
import { escapeText } from '../text.ts'
import { chartTitle } from './chart.ts'

/** A piece of an answer, or a chart that Slack draws itself. */
export type SlackPiece = Piece | { readonly kind: 'chart'; readonly chart: Picture }

/**
 * Writes a piece as plain text, which is shown if Slack cannot show the blocks. Results are cached, because the layout needs them
 * several times.
 */
export const pieceText = memoizePerObject((piece: SlackPiece): string => {
  if (piece.kind === 'rule') return '———'
  if (piece.kind === 'chart') return `📊 ${unlinked(chartTitle(piece.chart))}`
  if (piece.kind === 'code') return piece.text.includes('```') ? unlinked(piece.text) : `\`\`\`\n${unlinked(piece.text)}\n\`\`\``
  if (piece.kind === 'table') return [piece.header, ...piece.rows].map(rowText).join('\n')
  const text = piece.spans.map(markedText).join('')
  if (piece.kind === 'quote') return `> ${text.replaceAll('\n', '\n> ')}`
  if (piece.kind !== 'item') return text
  return `${'  '.repeat(piece.indent)}${piece.number === undefined ? '•' : `${piece.number}.`} ${text}`
})

const rowText = memoizePerObject((row: Row): string =>
  row.map(cell => cell.map(markedText).join('').replaceAll('\n', ' ')).join(' | '),
)

/** Writes a span as text. Code keeps its back-ticks, so that its content is not formatted. */
function markedText(span: Span): string {
  if (span.link !== undefined) return span.link === span.text ? span.text : `${unlinked(span.text)} (${span.link})`
  const text = unlinked(span.text)
  return span.code !== undefined && !/[`\n]/.test(text) ? `\`${text}\`` : text
}

/**
 * Matches a possible host name, such as `host.com`. The look-behind prevents matches that start within a name, so a long name
 * takes only linear time.
 */
const HOST = /(?<![\w-])[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi
const KNOWN_DOMAIN =
  /\.(?:com|net|org|info|biz|io|ai|co|me|dev|app|xyz|top|site|online|shop|link|click|eu|de|uk|fr|nl|us|ca|cn|ru|in|br|jp)$/i

/**
 * Breaks up the addresses in `text` that Slack would turn into links: `http://host` becomes `http[:]//host`, `host.com` becomes
 * `host[.]com`.
 */
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

/**
 * Whether Slack would turn this name without a scheme into a link. Slack does so if a path, query or port follows, or if the
 * domain is well known.
 */
function readsAsHost(name: string, next: string): boolean {
  if (KNOWN_DOMAIN.test(name) && !/^(?:\w|\.\w)/.test(next)) return true
  return /\.[a-z]{2,24}$/i.test(name) && /^(?:\/|[?#][\w%]|:\d)/.test(next)
}

/** Returns a piece's length in a message's `text`. There, `&`, `<` and `>` take four or five characters each. */
export const pieceLength = memoizePerObject((piece: SlackPiece): number => escapeText(pieceText(piece)).length)

export function rowLength(row: Row): number {
  return escapeText(rowText(row)).length
}

export function spanLength(span: Span): number {
  return escapeText(markedText(span)).length
}

/** Returns the approximate number of rich-text elements in a piece. */
export function pieceSpans(piece: SlackPiece): number {
  if (piece.kind === 'table') return [piece.header, ...piece.rows].flat(2).length
  return 'spans' in piece ? piece.spans.length : 1
}

/** Writes pieces as plain text. Each list item is a line, and every other piece is a paragraph. */
export function piecesText(pieces: readonly SlackPiece[]): string {
  return pieces.map((piece, index) => gapBefore(piece, pieces[index - 1]) + pieceText(piece)).join('')
}

export function gapBefore(piece: SlackPiece, previous: SlackPiece | undefined): string {
  if (previous === undefined) return ''
  return piece.kind === previous.kind && (piece.kind === 'item' || piece.kind === 'small') ? '\n' : '\n\n'
}
