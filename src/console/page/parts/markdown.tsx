import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Piece, smallPrint } from '../../../bots/markdown/piece.ts'
import { markdownPieces } from '../../../bots/markdown/pieces.ts'
import { type Span, spansText } from '../../../bots/markdown/span.ts'
import { CellText } from './cell-text.tsx'

/** The target of a stretch of an answer: a figure's source, or a query. */
export type Target = { readonly figure: number; readonly cell?: number } | { readonly query: string }
type MarkedSpan = Span & { readonly target?: Target }

/** A figure as the answer shows it, and the cells that it comes from. */
interface MarkedFigure {
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

/** Links are shown as text: the page sends nobody to an address that a model has written. */
const RULES = {
  allowedLinkHosts: [],
  listIndent: 3,
  plainAddress: (span: Span) => span,
  guard: (spans: readonly Span[]) => spans,
}

/** Draws a stretch of text that points at something. */
type DrawTarget = (target: Target, text: ComponentChildren) => ComponentChildren

/**
 * Shows foreign Markdown as nodes. Markup of HTML in it stays text.
 * @param figures those of an answer, whose texts and citations `draw` then draws
 * @param note the sentences at the end of the text that are small print
 */
export function Markdown({ text, note = '', figures, draw }: MarkdownProps) {
  const pieces = useMemo(() => {
    const read = withSmallNote(markdownPieces(text, RULES), note)
    return figures === undefined ? read : markPieces(read, figures)
  }, [text, note, figures])
  return <div class="markdown">{pieces.map(piece => block(piece, draw ?? ((_, shown) => shown)))}</div>
}

interface MarkdownProps {
  readonly text: string
  readonly note?: string
  readonly figures?: readonly MarkedFigure[]
  readonly draw?: DrawTarget
}

/** Makes small print of the last pieces, as far as they repeat the note. */
function withSmallNote(pieces: readonly Piece[], note: string): readonly Piece[] {
  // Labels such as "Assumed:" are bold, and the note is without them.
  const plain = (all: readonly Piece[]) => {
    const told = all.flatMap(piece => ('spans' in piece ? piece.spans : [])).filter(({ bold }) => !bold)
    return spansText(told).replace(/\s/g, '')
  }
  let rest = plain(markdownPieces(note, RULES))
  let start = pieces.length
  while (rest !== '' && start > 0) {
    const last = plain(pieces.slice(start - 1, start))
    if (last === '' || !rest.endsWith(last)) break
    rest = rest.slice(0, -last.length)
    start -= 1
  }
  return pieces.map((piece, at) => (at < start ? piece : smallPrint(piece)))
}

function block(piece: Piece, draw: DrawTarget): ComponentChildren {
  if (piece.kind === 'rule') return <hr />
  if (piece.kind === 'code') return <pre>{piece.text}</pre>
  if (piece.kind === 'table') return table(piece, draw)
  const text = spans(piece.spans, draw)
  if (piece.kind === 'heading') return <h3>{text}</h3>
  if (piece.kind === 'quote') return <blockquote>{text}</blockquote>
  if (piece.kind !== 'item') return <p class={piece.kind === 'small' ? 'small' : undefined}>{text}</p>
  return (
    <p class="item" style={{ marginLeft: `${20 * piece.indent}px` }}>
      <span class="bullet">{piece.number === undefined ? '•' : `${piece.number}.`}</span>
      <span>{text}</span>
    </p>
  )
}

/** A figure, perhaps with a sign, and a short unit. */
const NUMBER = /^\s*[-−+~$€]?\d[\d.,]*(?:\s?[^\d\s]{1,3})?\s*$/

function table({ header, rows, align }: Extract<Piece, { kind: 'table' }>, draw: DrawTarget): ComponentChildren {
  const isNumber = (at: number) => align[at] === 'right' || rows.every(row => NUMBER.test(spansText(row[at] ?? [])))
  const cells = (Cell: 'th' | 'td', row: readonly (readonly Span[])[]) => (
    <tr>
      {row.map((cell, at) => (
        <Cell key={at} class={isNumber(at) ? 'number' : undefined}>
          {spans(cell, draw, shown => (
            <CellText text={shown} />
          ))}
        </Cell>
      ))}
    </tr>
  )
  return (
    <div class="table plain">
      <table>
        <thead>{cells('th', header)}</thead>
        <tbody>{rows.map(row => cells('td', row))}</tbody>
      </table>
    </div>
  )
}

/** @param write writes the text of a span */
function spans(
  all: readonly MarkedSpan[],
  draw: DrawTarget,
  write: (text: string) => ComponentChildren = text => text,
): ComponentChildren {
  return all.map(({ text, target, code, italic, strike, bold }) => {
    const shown = target === undefined ? write(text) : draw(target, write(text))
    if (code) return <code>{shown}</code>
    const slanted = italic ? <em>{shown}</em> : shown
    const struck = strike ? <del>{slanted}</del> : slanted
    return bold ? <strong>{struck}</strong> : struck
  })
}

/**
 * Gives the figures of an answer, and its citations such as [Q1] or [E1, E2], spans of their own. If a figure is the head of a table's column,
 * the cells below point at it too.
 */
function markPieces(pieces: readonly Piece[], figures: readonly MarkedFigure[]): readonly Piece[] {
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
