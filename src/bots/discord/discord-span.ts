import type { Span } from '../markdown/span.ts'
import { escapeMarkdown } from './discord-text.ts'

/** Spans as Discord's Markdown. Nothing in their text is read as a mark, and only `link` is linked. */
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

/** What a text can stand between as code; undefined where it cannot: edges of blanks are dropped, and a run of back-ticks ends it. */
function codeTicks(text: string): string | undefined {
  if (text.trim() === '' || text.includes('\n')) return undefined
  if (!text.includes('`')) return '`'
  return /``|^`|`$/.test(text) ? undefined : '``'
}

/** In angle brackets, so that nothing is fetched and unfolded. The address is one that `isAllowedLink` lets through: without blanks and angle brackets. */
function linkMarkdown(text: string, address: string): string {
  if (text === address) return `<${address}>`
  const label = escapeMarkdown(text.replaceAll('\n', ' ')).replace(/[[\]]/g, '\\$&')
  return `[${label}](<${address.replaceAll('(', '%28').replaceAll(')', '%29')}>)`
}
