import { type CutRules, cutPiece } from '../../markdown/cut-piece.ts'
import { packPieces } from '../../markdown/pack-pieces.ts'
import type { LaidOut, Piece } from '../../markdown/piece.ts'
import { gapBefore, pieceMarkdown, piecesMarkdown } from './piece.ts'
import { spanMarkdown } from './span.ts'
import { tablePieces } from './table.ts'

/**
 * Distributes pieces over messages of at most `most` characters, in order. It splits between paragraphs if possible, else between lines,
 * words or characters, in this order.
 */
export function splitPieces(pieces: readonly Piece[], most: number): readonly string[] {
  const cutRules: CutRules = {
    most,
    pieceLength: piece => pieceMarkdown(piece).length,
    spanLength: span => spanMarkdown(span).length,
  }
  const laidOut = pieces.flatMap(piece => (piece.kind === 'table' ? tablePieces(piece, most) : [piece]))
  const messages = packPieces<LaidOut, 'characters'>(
    laidOut.flatMap(piece => cutPiece(piece, cutRules)),
    {
      limits: { characters: most },
      measure: (piece, previous) => ({ characters: gapBefore(piece, previous).length + pieceMarkdown(piece).length }),
    },
  )
  return messages.map(piecesMarkdown).filter(text => text.trim() !== '')
}
