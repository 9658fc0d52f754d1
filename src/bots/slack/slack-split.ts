import { type CutRules, cutPiece } from '../markdown/cut-piece.ts'
import { packPieces } from '../markdown/pack-pieces.ts'
import { type LaidOut, type Piece, type Row, rowSpans, type Table } from '../markdown/piece.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { gapBefore, pieceLength, pieceSpans, type SlackPiece, spanLength } from './slack-piece.ts'

const CUT: CutRules = { most: SLACK_LIMITS.text, mostSpans: SLACK_LIMITS.spans, pieceLength, spanLength }
const CUT_SMALL: CutRules = { ...CUT, most: SLACK_LIMITS.smallPrint }

/** Lays pieces out over messages: each within the limits, in order, cut at paragraphs, else lines, else words, else characters. */
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

function rowPieces(row: Row): readonly LaidOut[] {
  return cutPiece({ kind: 'paragraph', spans: rowSpans(row) }, CUT)
}
