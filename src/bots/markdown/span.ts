/** A piece of text in one style. It has a `link` only if the address is allowed. */
export interface Span {
  readonly text: string
  readonly bold?: true
  readonly italic?: true
  readonly strike?: true
  readonly code?: true
  readonly link?: string
}

export function spansText(spans: readonly Span[]): string {
  return spans.map(span => span.text).join('')
}

/** Joins neighbouring spans of the same style, so that checks see the text as people read it. Links and code stay separate. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    const isSame = last !== undefined && styleKey(last) === styleKey(span) && span.link === undefined && span.code === undefined
    if (isSame) joined[joined.length - 1] = { ...last, text: last.text + span.text }
    else if (span.text !== '') joined.push(span)
  }
  return joined
}

function styleKey({ text: _, ...style }: Span): string {
  return Object.keys(style).sort().join(' ')
}
