import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Piece } from '../../../bots/markdown/piece.ts'
import { markdownPieces } from '../../../bots/markdown/pieces.ts'
import type { Span } from '../../../bots/markdown/span.ts'
import { type MarkedFigure, type MarkedSpan, markPieces, type Target } from './mark-spans.ts'

/** Links are shown as text: the page sends nobody to an address that a model has written. */
const RULES = {
  allowedLinkHosts: [],
  listIndent: 3,
  plainAddress: (span: Span) => span,
  guard: (spans: readonly Span[]) => spans,
}

/** Draws a stretch of text that points at something. */
export type DrawTarget = (target: Target, text: ComponentChildren) => ComponentChildren

interface MarkdownProps {
  readonly text: string
  /** The figures of an answer, whose texts and citations `draw` then draws. */
  readonly figures?: readonly MarkedFigure[]
  readonly draw?: DrawTarget
}

/** Shows foreign Markdown as nodes. Markup of HTML in it stays text. */
export function Markdown({ text, figures, draw = plain }: MarkdownProps) {
  const pieces = useMemo(() => {
    const read = markdownPieces(text, RULES)
    return figures === undefined ? read : markPieces(read, figures)
  }, [text, figures])
  return (
    <div class="markdown">
      {pieces.map((piece, at) => (
        <Block key={at} piece={piece} draw={draw} />
      ))}
    </div>
  )
}

const plain: DrawTarget = (_, text) => text

function Block({ piece, draw }: { readonly piece: Piece; readonly draw: DrawTarget }) {
  if (piece.kind === 'rule') return <hr />
  if (piece.kind === 'code') return <pre>{piece.text}</pre>
  if (piece.kind === 'table') return <MarkdownTable piece={piece} draw={draw} />
  const spans = <Spans spans={piece.spans} draw={draw} />
  if (piece.kind === 'item')
    return (
      <p class={`item depth-${piece.indent}`}>
        <span class="bullet">{piece.number === undefined ? '•' : `${piece.number}.`}</span>
        <span>{spans}</span>
      </p>
    )
  if (piece.kind === 'heading') return <h3>{spans}</h3>
  if (piece.kind === 'quote') return <blockquote>{spans}</blockquote>
  return <p>{spans}</p>
}

function MarkdownTable({ piece, draw }: { readonly piece: Extract<Piece, { kind: 'table' }>; readonly draw: DrawTarget }) {
  const side = (at: number) => (piece.align[at] === 'right' ? 'number' : undefined)
  return (
    <div class="table plain">
      <table>
        <thead>
          <tr>
            {piece.header.map((cell, at) => (
              <th key={at} scope="col" class={side(at)}>
                <Spans spans={cell} draw={draw} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {piece.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} class={side(at)}>
                  <Spans spans={cell} draw={draw} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Spans({ spans, draw }: { readonly spans: readonly MarkedSpan[]; readonly draw: DrawTarget }) {
  return (
    <>
      {spans.map((span, at) => (
        <Styled key={at} span={span}>
          {span.target === undefined ? span.text : draw(span.target, span.text)}
        </Styled>
      ))}
    </>
  )
}

function Styled({ span, children }: { readonly span: Span; readonly children: ComponentChildren }) {
  if (span.code) return <code>{children}</code>
  const slanted = span.italic ? <em>{children}</em> : children
  const struck = span.strike ? <del>{slanted}</del> : slanted
  return span.bold ? <strong>{struck}</strong> : struck
}
