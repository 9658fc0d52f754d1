import { type CutRules, cutPiece } from '../markdown/cut-piece.ts'
import { packPieces } from '../markdown/pack-pieces.ts'
import { type Piece, type Row, rowSpans, type Table } from '../markdown/piece.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { gapBefore, pieceLength, pieceSpans, spanLength } from './slack-piece.ts'

const CUT: CutRules = { most: SLACK_LIMITS.text, mostSpans: SLACK_LIMITS.spans, pieceLength, spanLength }

/** Lays pieces out over messages: each within the limits, in order, cut at paragraphs, else lines, else words, else characters. */
export function splitPieces(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const laidOut = pieces.flatMap(piece => (piece.kind === 'table' ? splitTable(piece) : cutPiece(piece, CUT)))
  return packPieces(laidOut, {
    limits: {
      characters: SLACK_LIMITS.text,
      blocks: SLACK_LIMITS.blocks,
      spans: SLACK_LIMITS.spans,
      tables: SLACK_LIMITS.tables,
    },
    measure: (piece, previous) => ({
      characters: gapBefore(piece, previous).length + pieceLength(piece),
      blocks: 1,
      spans: piece.kind === 'table' ? 0 : pieceSpans(piece),
      tables: piece.kind === 'table' ? 1 : 0,
    }),
  })
}

/** Tables of at most so many rows, each with the header; a row that no table can hold stands between them as code. */
function splitTable(table: Table): readonly Piece[] {
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
function tableSpans(table: Table): number {
  return Math.max(SLACK_LIMITS.spans, table.header.length * SLACK_LIMITS.tableRows)
}

function rowPieces(row: Row): readonly Piece[] {
  return cutPiece({ kind: 'paragraph', spans: rowSpans(row) }, CUT)
}
