import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Piece } from '../../../bots/markdown/piece.ts'
import { markdownPieces } from '../../../bots/markdown/pieces.ts'
import { type Span, spansText } from '../../../bots/markdown/span.ts'
import { type MarkedFigure, type MarkedSpan, markPieces, type Target } from './mark-spans.ts'

/** Links are shown as text: the page sends nobody to an address that a model has written. */
const RULES = {
  allowedLinkHosts: [],
  listIndent: 3,
  plainAddress: (span: Span) => span,
  guard: (spans: readonly Span[]) => spans,
}

/** Draws a stretch of text that points at something. */
type DrawTarget = (target: Target, text: ComponentChildren) => ComponentChildren

interface MarkdownProps {
  readonly text: string
  /** The figures of an answer, whose texts and citations `draw` then draws. */
  readonly figures?: readonly MarkedFigure[]
  readonly draw?: DrawTarget
}

/** Shows foreign Markdown as nodes. Markup of HTML in it stays text. */
export function Markdown({ text, figures, draw = (_, shown) => shown }: MarkdownProps) {
  const pieces = useMemo(() => {
    const read = markdownPieces(text, RULES)
    return figures === undefined ? read : markPieces(read, figures)
  }, [text, figures])
  return <div class="markdown">{pieces.map(piece => block(piece, draw))}</div>
}

function block(piece: Piece, draw: DrawTarget): ComponentChildren {
  if (piece.kind === 'rule') return <hr />
  if (piece.kind === 'code') return <pre>{piece.text}</pre>
  if (piece.kind === 'table') return table(piece, draw)
  const text = spans(piece.spans, draw)
  if (piece.kind === 'heading') return <h3>{text}</h3>
  if (piece.kind === 'quote') return <blockquote>{text}</blockquote>
  if (piece.kind !== 'item') return <p>{text}</p>
  return (
    <p class={`item depth-${piece.indent}`}>
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
          {spans(cell, draw)}
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

function spans(all: readonly MarkedSpan[], draw: DrawTarget): ComponentChildren {
  return all.map(({ text, target, code, italic, strike, bold }) => {
    const shown = target === undefined ? text : draw(target, text)
    if (code) return <code>{shown}</code>
    const slanted = italic ? <em>{shown}</em> : shown
    const struck = strike ? <del>{slanted}</del> : slanted
    return bold ? <strong>{struck}</strong> : struck
  })
}
