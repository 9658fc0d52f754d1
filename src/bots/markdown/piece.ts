import { type Span, spansText } from './span.ts'

/** A part of an answer, such as a paragraph, a table or a list item, before the platform lays it out. */
export type Piece = TextPiece | ListItem | Code | Table | { readonly kind: 'rule' }

/** A piece that is not a table. Each platform turns tables into other pieces before it lays the pieces out. */
export type LaidOut = Exclude<Piece, Table>

export interface TextPiece {
  /** `small` means small print, such as a footer. */
  readonly kind: 'paragraph' | 'heading' | 'quote' | 'small'
  readonly spans: readonly Span[]
}

export interface ListItem {
  readonly kind: 'item'
  readonly spans: readonly Span[]
  readonly indent: number
  readonly number: number | undefined
}

export interface Code {
  readonly kind: 'code'
  readonly text: string
  readonly language: string
}

export interface Table {
  readonly kind: 'table'
  readonly align: readonly Align[]
  readonly header: Row
  readonly rows: readonly Row[]
}

export type Align = 'left' | 'center' | 'right'
export type Row = readonly (readonly Span[])[]

/** Returns a piece's text without Markdown markup, for comparing it with the Markdown source. */
export function pieceSource(piece: Piece): string {
  if (piece.kind === 'rule') return ''
  if (piece.kind === 'code') return piece.language + piece.text
  if (piece.kind === 'table')
    return [piece.header, ...piece.rows].map(row => row.map(cell => cell.map(spanSource).join('')).join(' ')).join('\n')
  return (piece.kind === 'item' && piece.number !== undefined ? `${piece.number}. ` : '') + piece.spans.map(spanSource).join('')
}

function spanSource({ text, link }: Span): string {
  return link === undefined || link === text ? text : `${text} ${link}`
}

/** Returns the alignment of each column. Columns of numbers are right-aligned, unless the Markdown centres them. */
export function columnAligns({ align, header, rows }: Table): readonly Align[] {
  return header.map((_, column) => {
    const written = align[column]
    if (written !== undefined && written !== 'left') return written
    const filled = rows.map(row => spansText(row[column] ?? []).trim()).filter(cell => cell !== '')
    return filled.length > 0 && filled.every(isNumber) ? 'right' : 'left'
  })
}

function isNumber(cell: string): boolean {
  return /^[-+−]?[\d.,'\u202f ]*\d(?: ?%)?$/.test(cell)
}

/** Writes a table's row as text, with bars between the cells. */
export function rowSpans(row: Row): readonly Span[] {
  return row.flatMap((cell, index) => (index === 0 ? cell : [{ text: ' | ' }, ...cell]))
}

/** Turns a piece into small print. Tables, code and horizontal rules stay as they are. */
export function smallPrint(piece: Piece): Piece {
  if (piece.kind === 'item') {
    const bullet = piece.number === undefined ? '•' : `${piece.number}.`
    return { kind: 'small', spans: [{ text: `${bullet} ` }, ...piece.spans] }
  }
  return 'spans' in piece ? { kind: 'small', spans: piece.spans } : piece
}
