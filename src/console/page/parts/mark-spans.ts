import type { Piece } from '../../../bots/markdown/piece.ts'
import type { Span } from '../../../bots/markdown/span.ts'

/** What a stretch of an answer points at: a figure's source, or a query. */
export type Target = { readonly figure: number; readonly cell?: number } | { readonly query: string }
export type MarkedSpan = Span & { readonly target?: Target }
type Line = readonly MarkedSpan[]

/** A figure as the answer shows it, and how many cells it comes from. */
export interface MarkedFigure {
  readonly text: string
  readonly cells: readonly unknown[]
}

/**
 * Finds the figures of an answer in its pieces, in order, and its citations such as [Q1]. Each becomes a span of its own. If a figure
 * is the head of a table's column, all cells of the column point at it too.
 */
export function markPieces(pieces: readonly Piece[], figures: readonly MarkedFigure[]): readonly Piece[] {
  const finder = new FigureFinder(pieces.flatMap(linesOf), figures)
  return pieces.map(piece => {
    if (piece.kind === 'rule' || piece.kind === 'code') return piece
    if (piece.kind !== 'table') return { ...piece, spans: finder.marked(piece.spans) }
    const heads = piece.header.map(cell => finder.figureOf(cell))
    const rows = piece.rows.map((row, index) =>
      row.map((cell, at) => {
        const figure = heads[at]
        if (figure === undefined) return finder.marked(cell)
        const isOneEach = figures[figure]?.cells.length === piece.rows.length
        return cell.map(span => ({ ...span, target: isOneEach ? { figure, cell: index } : { figure } }))
      }),
    )
    return { ...piece, header: piece.header.map(cell => finder.marked(cell)), rows }
  })
}

function linesOf(piece: Piece): readonly Line[] {
  if (piece.kind === 'rule' || piece.kind === 'code') return []
  return piece.kind === 'table' ? [...piece.header, ...piece.rows.flat()] : [piece.spans]
}

interface Found {
  readonly start: number
  readonly end: number
  readonly target: Target
}

const CITATION = /\[(Q\d+)[^\]\n]{0,40}\]/g

/** Where the figures are in the lines of an answer. A figure that is not found stays unmarked. */
class FigureFinder {
  readonly #found = new Map<Line, Found[]>()

  constructor(lines: readonly Line[], figures: readonly MarkedFigure[]) {
    let line = 0
    let offset = 0
    const texts = lines.map(textOf)
    for (const [figure, { text }] of figures.entries()) {
      for (let at = line; at < lines.length; at++) {
        const start = indexOfWord(texts[at] ?? '', text, at === line ? offset : 0)
        const spans = lines[at]
        if (start < 0 || spans === undefined) continue
        const end = start + text.length
        this.#found.set(spans, [...(this.#found.get(spans) ?? []), { start, end, target: { figure } }])
        line = at
        offset = end
        break
      }
    }
  }

  /** Returns the figure that a cell consists of. */
  figureOf(cell: Line): number | undefined {
    const [found] = this.#found.get(cell) ?? []
    const isWhole = found !== undefined && found.end - found.start === textOf(cell).trim().length
    return isWhole && 'figure' in found.target ? found.target.figure : undefined
  }

  marked(line: Line): Line {
    const citations = [...textOf(line).matchAll(CITATION)].map(({ index, 0: text, 1: query = '' }) => ({
      start: index,
      end: index + text.length,
      target: { query },
    }))
    const marks = [...(this.#found.get(line) ?? []), ...citations].sort((one, other) => one.start - other.start)
    return marks.length === 0 ? line : split(line, marks)
  }
}

function split(line: Line, marks: readonly Found[]): Line {
  let start = 0
  return line.flatMap(span => {
    const end = start + span.text.length
    const from = start
    start = end
    const bounds = marks.flatMap(mark => [mark.start, mark.end]).filter(at => at > from && at < end)
    const cuts = [...new Set([from, ...bounds, end])]
    return cuts.slice(0, -1).map((at, index) => {
      const text = span.text.slice(at - from, (cuts[index + 1] ?? end) - from)
      const mark = marks.find(each => each.start <= at && at < each.end)
      return mark === undefined ? { ...span, text } : { ...span, text, target: mark.target }
    })
  })
}

function textOf(line: Line): string {
  return line.map(({ text }) => text).join('')
}

const WORD = /[\p{L}\p{N}]/u

/** Finds a text that is no part of a longer word or number. */
function indexOfWord(line: string, text: string, from: number): number {
  for (let at = line.indexOf(text, from); at >= 0 && text !== ''; at = line.indexOf(text, at + 1)) {
    const before = /[\d.,]$/.test(line.slice(0, at)) && /^\d/.test(text) && !/\s$/.test(line.slice(0, at))
    const after = WORD.test(line[at + text.length] ?? '') && WORD.test(text.at(-1) ?? '')
    if (!before && !after) return at
  }
  return -1
}
