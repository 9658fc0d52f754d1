import type { Piece } from '../../../bots/markdown/piece.ts'
import { type Span, spansText } from '../../../bots/markdown/span.ts'

/** The target of a stretch of an answer: a figure's source, or a query. */
export type Target = { readonly figure: number; readonly cell?: number } | { readonly query: string }
export type MarkedSpan = Span & { readonly target?: Target }

/** A figure as the answer shows it, and the cells that it comes from. */
export interface MarkedFigure {
  readonly text: string
  readonly cells: readonly unknown[]
}

interface Mark {
  readonly start: number
  readonly end: number
  readonly target: Target
}

type Line = readonly Span[]
type Marks = ReadonlyMap<Line, readonly Mark[]>

/**
 * Gives the figures of an answer, and its citations such as [Q1] or [E1, E2], spans of their own. If a figure is the head of a table's column,
 * the cells below point at it too.
 */
export function markPieces(pieces: readonly Piece[], figures: readonly MarkedFigure[]): readonly Piece[] {
  const found = findFigures(pieces.flatMap(linesOf), figures)
  const marked = (line: Line) => splitAt(line, [...(found.get(line) ?? []), ...citationsOf(line)])
  return pieces.map(piece => {
    if (piece.kind === 'rule' || piece.kind === 'code') return piece
    if (piece.kind !== 'table') return { ...piece, spans: marked(piece.spans) }
    const heads = piece.header.map(cell => found.get(cell)?.find(({ end }) => end === spansText(cell).length)?.target)
    const below = (cell: Line, index: number, head: Target): Line => {
      const isOneEach = 'figure' in head && figures[head.figure]?.cells.length === piece.rows.length
      return cell.map(span => ({ ...span, target: isOneEach ? { ...head, cell: index } : head }))
    }
    const rows = piece.rows.map((row, index) =>
      row.map((cell, at) => (heads[at] === undefined ? marked(cell) : below(cell, index, heads[at]))),
    )
    return { ...piece, header: piece.header.map(marked), rows }
  })
}

function linesOf(piece: Piece): readonly Line[] {
  if (piece.kind === 'rule' || piece.kind === 'code') return []
  return piece.kind === 'table' ? [...piece.header, ...piece.rows.flat()] : [piece.spans]
}

/** Finds the figures in their order. One that is not found stays unmarked. */
function findFigures(lines: readonly Line[], figures: readonly MarkedFigure[]): Marks {
  const found = new Map<Line, Mark[]>()
  const texts = lines.map(spansText)
  let line = 0
  let from = 0
  for (const [figure, { text }] of figures.entries()) {
    const at = texts.findIndex((shown, index) => index >= line && indexOfFigure(shown, text, index === line ? from : 0) >= 0)
    const spans = lines[at]
    if (spans === undefined) continue
    const start = indexOfFigure(texts[at] ?? '', text, at === line ? from : 0)
    line = at
    from = start + text.length
    found.set(spans, [...(found.get(spans) ?? []), { start, end: from, target: { figure } }])
  }
  return found
}

/** Finds a figure that is no part of a longer word or number. */
function indexOfFigure(line: string, text: string, from: number): number {
  let at = text === '' ? -1 : line.indexOf(text, from)
  while (at >= 0 && (/[\p{L}\p{N}][.,]?$/u.test(line.slice(0, at)) || /^[\p{L}\p{N}]/u.test(line.slice(at + text.length))))
    at = line.indexOf(text, at + 1)
  return at
}

function citationsOf(line: Line): readonly Mark[] {
  return [...spansText(line).matchAll(/\[[QE]\d+[^\]\n]{0,40}\]/g)].flatMap(({ index: start, 0: text }) => {
    const cited = [...text.matchAll(/[QE]\d+/g)].map(({ index, 0: query }) => {
      return { start: start + index, end: start + index + query.length, target: { query } }
    })
    return cited.length > 1 ? cited : cited.map(only => ({ ...only, start, end: start + text.length }))
  })
}

function splitAt(line: Line, marks: readonly Mark[]): readonly MarkedSpan[] {
  let end = 0
  return line.flatMap(span => {
    const start = end
    end += span.text.length
    const bounds = marks.flatMap(mark => [mark.start, mark.end]).filter(at => at > start && at < end)
    const cuts = [...new Set([start, ...bounds.sort((one, other) => one - other), end])]
    return cuts.slice(1).map((to, index) => {
      const at = cuts[index] ?? start
      const mark = marks.find(each => each.start <= at && at < each.end)
      return { ...span, text: span.text.slice(at - start, to - start), ...(mark && { target: mark.target }) }
    })
  })
}
