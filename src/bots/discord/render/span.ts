import type { Span } from '../../markdown/span.ts'
import { escapeMarkdown } from '../text.ts'

/** Spans as Discord Markdown. Their text is fully escaped, and only `link` becomes a link. */
export function spansMarkdown(spans: readonly Span[]): string {
  return spans.map(spanMarkdown).join('')
}

export function spanMarkdown(span: Span): string {
  if (span.link !== undefined) return linkMarkdown(span.text, span.link)
  if (span.code !== undefined) {
    const ticks = codeTicks(span.text)
    if (ticks !== undefined) return `${ticks}${span.text}${ticks}`
  }
  const inner = span.text.trim()
  const [before = '', after = ''] = inner === '' ? [] : span.text.split(inner)
  if (inner === '') return span.text
  const marks = [span.strike && '~~', span.bold && '**', span.italic && '*'].filter(mark => mark !== undefined).join('')
  return `${before}${marks}${escapeMarkdown(inner)}${[...marks].reverse().join('')}${after}`
}

/** The back-ticks for a text as code. Undefined if none work: Discord trims spaces at the edges, and back-ticks end the code. */
function codeTicks(text: string): string | undefined {
  if (text.trim() === '' || text.includes('\n')) return undefined
  if (!text.includes('`')) return '`'
  return /``|^`|`$/.test(text) ? undefined : '``'
}

/** Angle brackets prevent a preview. `isAllowedLink` guarantees an address without spaces and angle brackets. */
function linkMarkdown(text: string, address: string): string {
  if (text === address) return `<${address}>`
  const label = escapeMarkdown(text.replaceAll('\n', ' ')).replace(/[[\]]/g, '\\$&')
  return `[${label}](<${address.replaceAll('(', '%28').replaceAll(')', '%29')}>)`
}
