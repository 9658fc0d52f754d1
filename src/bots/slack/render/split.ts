import { type CutRules, cutPiece } from '../../markdown/cut-piece.ts'
import { packPieces } from '../../markdown/pack-pieces.ts'
import { type LaidOut, type Piece, type Row, rowSpans, type Table } from '../../markdown/piece.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { gapBefore, pieceLength, pieceSpans, rowLength, type SlackPiece, spanLength } from './piece.ts'

const CUT: CutRules = { most: SLACK_LIMITS.text, mostSpans: SLACK_LIMITS.spans, pieceLength, spanLength }
const CUT_SMALL: CutRules = { ...CUT, most: SLACK_LIMITS.smallPrint }

/**
 * Distributes pieces over messages within the limits, in order. Splits a long text between paragraphs if possible, and otherwise
 * between lines, words or characters.
 */
export function splitPieces(pieces: readonly SlackPiece[]): readonly (readonly SlackPiece[])[] {
  return packPieces(pieces.flatMap(splitPiece), {
    limits: {
      characters: SLACK_LIMITS.text,
      blocks: SLACK_LIMITS.blocks,
      spans: SLACK_LIMITS.spans,
      tables: SLACK_LIMITS.tables,
    },
    measure: (piece, previous) => ({
      characters: gapBefore(piece, previous).length + pieceLength(piece),
      blocks: gapBefore(piece, previous) === '\n' ? 0 : 1,
      spans: piece.kind === 'table' ? 0 : pieceSpans(piece),
      tables: piece.kind === 'table' ? 1 : 0,
    }),
  })
}

function splitPiece(piece: SlackPiece): readonly SlackPiece[] {
  if (piece.kind === 'chart') return [piece]
  return piece.kind === 'table' ? splitTable(piece) : cutPiece(piece, piece.kind === 'small' ? CUT_SMALL : CUT)
}

/** Splits a table into tables within the limits, each with the header. A row that is too large for any table becomes text. */
function splitTable(table: Table): readonly SlackPiece[] {
  const head = rowSize(table.header)
  // The last row has no line break behind it, so one more character fits.
  const most = { length: SLACK_LIMITS.text + 1 - head.length, spans: tableSpans(table) - head.spans }
  const isTooLarge = (size: RowSize) => size.length > most.length || size.spans > most.spans
  if (table.header.length > SLACK_LIMITS.tableColumns || isTooLarge({ length: 0, spans: 0 }))
    return [table.header, ...table.rows].flatMap(rowPieces)
  const pieces: Piece[] = []
  let rows: Row[] = []
  let used: RowSize = { length: 0, spans: 0 }
  const close = () => {
    if (rows.length > 0) pieces.push({ ...table, rows })
    rows = []
    used = { length: 0, spans: 0 }
  }
  for (const row of table.rows) {
    const size = rowSize(row)
    const grown = { length: used.length + size.length, spans: used.spans + size.spans }
    if (isTooLarge(grown) || rows.length + 1 >= SLACK_LIMITS.tableRows) close()
    if (isTooLarge(size)) {
      pieces.push(...rowPieces(row))
      continue
    }
    rows.push(row)
    used = { length: used.length + size.length, spans: used.spans + size.spans }
  }
  close()
  if (pieces.length === 0) return [{ ...table, rows: [] }]
  return pieces.some(({ kind }) => kind === 'table') ? pieces : [...rowPieces(table.header), ...pieces]
}

interface RowSize {
  /** The row's length in a message's `text`, with its line break. */
  readonly length: number
  readonly spans: number
}

function rowSize(row: Row): RowSize {
  return { length: rowLength(row) + 1, spans: row.flat().length }
}

/**
 * Returns the maximum number of spans in a table. It allows for a table with the maximum number of rows, if each cell is plain
 * text and so one span. Only a table with more styles per cell is cut earlier.
 */
function tableSpans(table: Table): number {
  return Math.max(SLACK_LIMITS.spans, table.header.length * SLACK_LIMITS.tableRows)
}

function rowPieces(row: Row): readonly LaidOut[] {
  return cutPiece({ kind: 'paragraph', spans: rowSpans(row) }, CUT)
}
