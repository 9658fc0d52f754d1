import type { Span } from '../../markdown/span.ts'
import { escapeMarkdown } from '../text.ts'

/** Writes spans (texts of one style) as Discord Markdown. All text is escaped, and only `link` becomes a link. */
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

/**
 * Returns the back-ticks that show a text as code if they surround it. Undefined if that is impossible: the text has several
 * lines, has back-ticks that would end the code, or has only spaces, which Discord trims.
 */
function codeTicks(text: string): string | undefined {
  if (text.trim() === '' || text.includes('\n')) return undefined
  if (!text.includes('`')) return '`'
  return /``|^`|`$/.test(text) ? undefined : '``'
}

/**
 * Writes a link. Angle brackets around the address prevent a preview. The address itself contains no angle brackets, because
 * `isAllowedLink` refuses such addresses.
 */
function linkMarkdown(text: string, address: string): string {
  if (text === address) return `<${address}>`
  const label = escapeMarkdown(text.replaceAll('\n', ' ')).replace(/[[\]]/g, '\\$&')
  return `[${label}](<${address.replaceAll('(', '%28').replaceAll(')', '%29')}>)`
}
