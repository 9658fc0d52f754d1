import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Piece } from '../../../bots/markdown/piece.ts'
import { markdownPieces } from '../../../bots/markdown/pieces.ts'
import type { Span } from '../../../bots/markdown/span.ts'

/** Writes the text of a span. An answer passes one that makes figures and citations pressable. */
export type WriteText = (text: string) => ComponentChildren

/** Links are shown as text: the page sends nobody to an address that a model has written. */
const RULES = {
  allowedLinkHosts: [],
  listIndent: 3,
  plainAddress: (span: Span) => span,
  guard: (spans: readonly Span[]) => spans,
}

/** Shows foreign Markdown as nodes. Markup of HTML in it stays text. */
export function Markdown({ text, write = plain }: { readonly text: string; readonly write?: WriteText }) {
  const pieces = useMemo(() => markdownPieces(text, RULES), [text])
  return (
    <div class="markdown">
      {pieces.map((piece, at) => (
        <Block key={at} piece={piece} write={write} />
      ))}
    </div>
  )
}

const plain: WriteText = text => text

function Block({ piece, write }: { readonly piece: Piece; readonly write: WriteText }) {
  if (piece.kind === 'rule') return <hr />
  if (piece.kind === 'code')
    return (
      <pre>
        <code>{piece.text}</code>
      </pre>
    )
  if (piece.kind === 'table') return <MarkdownTable piece={piece} write={write} />
  const spans = <Spans spans={piece.spans} write={write} />
  if (piece.kind === 'item')
    return (
      <p class={`item depth-${piece.indent}`}>
        <span class="bullet">{piece.number === undefined ? '•' : `${piece.number}.`}</span>
        <span>{spans}</span>
      </p>
    )
  if (piece.kind === 'heading') return <h3>{spans}</h3>
  if (piece.kind === 'quote') return <blockquote>{spans}</blockquote>
  if (piece.kind === 'small') return <p class="small">{spans}</p>
  return <p>{spans}</p>
}

function MarkdownTable({ piece, write }: { readonly piece: Extract<Piece, { kind: 'table' }>; readonly write: WriteText }) {
  const side = (at: number) => (piece.align[at] === 'right' ? 'number' : undefined)
  return (
    <div class="table plain">
      <table>
        <thead>
          <tr>
            {piece.header.map((cell, at) => (
              <th key={at} scope="col" class={side(at)}>
                <Spans spans={cell} write={write} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {piece.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} class={side(at)}>
                  <Spans spans={cell} write={write} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Spans({ spans, write }: { readonly spans: readonly Span[]; readonly write: WriteText }) {
  return (
    <>
      {spans.map((span, at) => {
        if (span.code) return <code key={at}>{span.text}</code>
        const text = write(span.text)
        const slanted = span.italic ? <em>{text}</em> : text
        const struck = span.strike ? <del>{slanted}</del> : slanted
        return span.bold ? <strong key={at}>{struck}</strong> : <span key={at}>{struck}</span>
      })}
    </>
  )
}
