import { SLACK_LIMITS } from './slack-limits.ts'
import { type Piece, pieceLength, pieceSpans, type Row, type Span, spansText } from './slack-piece.ts'
import { escapeText } from './slack-text.ts'

/** Lays pieces out over messages: each within the limits, in order, cut at paragraphs, else lines, else words, else characters. */
export function splitPieces(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const messages: Piece[][] = []
  let message: Piece[] = []
  for (const piece of pieces.flatMap(candidate => splitPiece(candidate, SLACK_LIMITS.text))) {
    if (!fits([...message, piece])) {
      // A heading goes with what it heads.
      const heading = message.length > 1 && message.at(-1)?.kind === 'heading' ? message.pop() : undefined
      messages.push(message)
      message = heading !== undefined && fits([heading, piece]) ? [heading, piece] : [piece]
      if (heading !== undefined && message.length === 1) messages.push([heading])
      continue
    }
    message.push(piece)
  }
  return message.length === 0 ? messages : [...messages, message]
}

function fits(pieces: readonly Piece[]): boolean {
  const length = pieces.reduce((sum, piece) => sum + pieceLength(piece) + 2, -2)
  return (
    pieces.length <= 1 ||
    (length <= SLACK_LIMITS.text && pieces.length <= SLACK_LIMITS.blocks && spansFit(pieces) && tablesFit(pieces))
  )
}

function spansFit(pieces: readonly Piece[]): boolean {
  return pieces.reduce((sum, piece) => sum + (piece.kind === 'table' ? 0 : pieceSpans(piece)), 0) <= SLACK_LIMITS.spans
}

function tablesFit(pieces: readonly Piece[]): boolean {
  return pieces.filter(piece => piece.kind === 'table').length <= SLACK_LIMITS.tables
}

function splitPiece(piece: Piece, limit: number): readonly Piece[] {
  if (piece.kind === 'table') return splitTable(piece)
  if (pieceLength(piece) <= SLACK_LIMITS.text && pieceSpans(piece) <= SLACK_LIMITS.spans) return [piece]
  // What a piece adds around its text (quote marks, ticks) is not counted while cutting: if it is too much, cut finer.
  const cut = cutPiece(piece, limit)
  return cut.flatMap(part => (pieceLength(part) <= SLACK_LIMITS.text ? [part] : splitPiece(part, Math.floor(limit / 2))))
}

function cutPiece(piece: Exclude<Piece, { kind: 'table' }>, limit: number): readonly Piece[] {
  if (piece.kind === 'rule') return [piece]
  if (piece.kind === 'code') {
    const parts = cutSpans([{ text: piece.text }], limit - '```\n\n```'.length)
    return parts.map(spans => ({ ...piece, text: spansText(spans).replace(/\n$/, '') })).filter(part => part.text !== '')
  }
  const [first = [], ...rest] = cutSpans(piece.spans, limit)
  // A list item goes on as a paragraph: it is not another item.
  return [
    { ...piece, spans: first },
    ...rest.map((spans): Piece => ({ kind: piece.kind === 'item' ? 'paragraph' : piece.kind, spans })),
  ]
}

function cutSpans(spans: readonly Span[], limit: number): readonly (readonly Span[])[] {
  const parts: Span[][] = []
  let part: Span[] = []
  let room = limit
  const close = () => {
    if (part.length > 0) parts.push(part)
    part = []
    room = limit
  }
  for (const span of spans) {
    let text = span.text
    while (text !== '') {
      if (part.length >= SLACK_LIMITS.spans) close()
      const head = fittingHead(text, room, part.length === 0)
      if (head !== '') part.push({ ...span, text: head })
      text = text.slice(head.length)
      room -= spanLength({ ...span, text: head })
      if (text !== '') close()
    }
  }
  close()
  return parts
}

function spanLength(span: Span): number {
  return escapeText(span.text).length + (span.code === undefined ? 0 : 2)
}

/** The longest head of the text that fits, cut after a line, else after a word, else (at the start of a part) anywhere between characters. */
function fittingHead(text: string, room: number, mayCutWord: boolean): string {
  let length = 0
  let end = 0
  for (const character of text) {
    length += escapeText(character).length
    if (length > room) break
    end += character.length
  }
  if (end === text.length) return text
  const line = text.lastIndexOf('\n', end - 1) + 1
  if (line > 0) return text.slice(0, line)
  const word = text.lastIndexOf(' ', end - 1) + 1
  if (word > 0) return text.slice(0, word)
  if (!mayCutWord) return ''
  return text.slice(0, Math.max(end, String.fromCodePoint(text.codePointAt(0) ?? 32).length))
}

/** Tables of at most so many rows, each with the header; a row that no table can hold stands between them as code. */
function splitTable(table: Extract<Piece, { kind: 'table' }>): readonly Piece[] {
  const asTable = (rows: readonly Row[]): Piece => ({ ...table, rows })
  const holds = (rows: readonly Row[]) => {
    const candidate = asTable(rows)
    return (
      rows.length < SLACK_LIMITS.tableRows &&
      pieceLength(candidate) <= SLACK_LIMITS.text &&
      pieceSpans(candidate) <= tableSpans(table)
    )
  }
  if (table.header.length > SLACK_LIMITS.tableColumns || !holds([])) return [table.header, ...table.rows].flatMap(rowPieces)
  const pieces: Piece[] = []
  let rows: Row[] = []
  const close = () => {
    if (rows.length > 0) pieces.push(asTable(rows))
    rows = []
  }
  for (const row of table.rows) {
    if (!holds([...rows, row])) close()
    if (holds([row])) rows.push(row)
    else pieces.push(...rowPieces(row))
  }
  close()
  return pieces.length === 0 ? [asTable([])] : pieces
}

/** A plain cell is one span, so that the table's own rows are what bounds an ordinary table. */
function tableSpans(table: Extract<Piece, { kind: 'table' }>): number {
  return Math.max(SLACK_LIMITS.spans, table.header.length * SLACK_LIMITS.tableRows)
}

function rowPieces(row: Row): readonly Piece[] {
  const spans = row.flatMap((cell, index): readonly Span[] => (index === 0 ? cell : [{ text: ' | ' }, ...cell]))
  return splitPiece({ kind: 'paragraph', spans }, SLACK_LIMITS.text)
}
