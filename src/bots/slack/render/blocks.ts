import type { ContextBlock, HeaderBlock, KnownBlock, RichTextBlock, RichTextList, RichTextSection } from '@slack/types'
import type { ListItem } from '../../markdown/piece.ts'
import { type Span, spansText } from '../../markdown/span.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { escapeText } from '../text.ts'
import { type ChartBlock, chartBlock } from './chart.ts'
import { pieceText, type SlackPiece } from './piece.ts'
import { richText, spanElements, textElements } from './rich-text.ts'
import { tableBlock } from './table.ts'

export type SlackBlock = KnownBlock | ChartBlock

/**
 * Turns the pieces of an answer into Slack's blocks. Consecutive list items share one block, and so do consecutive lines of small
 * print.
 */
export function pieceBlocks(pieces: readonly SlackPiece[]): readonly SlackBlock[] {
  return runs(pieces).flatMap((run): readonly SlackBlock[] => {
    const [first] = run
    if (first.kind === 'item') return [richText(...listElements(run.filter(piece => piece.kind === 'item')))]
    if (first.kind === 'small') return smallBlocks(run.map(pieceText))
    if (first.kind === 'rule') return [{ type: 'divider' }]
    if (first.kind === 'table') return [tableBlock(first)]
    if (first.kind === 'chart') return [chartBlock(first.chart)].filter(block => block !== undefined)
    if (first.kind === 'code') return [richText({ type: 'rich_text_preformatted', elements: textElements(first.text) })]
    if (first.kind === 'heading') return [headingBlock(first.spans)]
    const elements = spanElements(first.spans)
    return [richText(first.kind === 'quote' ? { type: 'rich_text_quote', elements } : { type: 'rich_text_section', elements })]
  })
}

type Run = [SlackPiece, ...SlackPiece[]]

function runs(pieces: readonly SlackPiece[]): readonly Run[] {
  const found: Run[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last?.[0].kind === piece.kind && (piece.kind === 'item' || piece.kind === 'small')) last.push(piece)
    else found.push([piece])
  }
  return found
}

/**
 * Lays out small print, one line per text, as `plain_text` without markup. A text with `&`, `<` or `>` becomes escaped `mrkdwn`
 * instead, because Slack might take it for an entity such as `&amp;`.
 */
function smallBlocks(lines: readonly string[]): readonly ContextBlock[] {
  const texts: string[] = []
  for (const line of lines) {
    const joined = `${texts.at(-1) ?? ''}\n${line}`
    if (texts.length > 0 && escapeText(joined).length <= SLACK_LIMITS.smallPrint) texts[texts.length - 1] = joined
    else texts.push(line)
  }
  return texts
    .filter(text => text.trim() !== '')
    .map(text => ({
      type: 'context',
      elements: [
        /[&<>]/.test(text)
          ? { type: 'mrkdwn', text: escapeText(text), verbatim: true }
          : { type: 'plain_text', text, emoji: false },
      ],
    }))
}

/**
 * Lays out a heading as a header block, which has only plain text. If Slack might take the text for markup, the heading becomes
 * bold rich text instead.
 */
function headingBlock(spans: readonly Span[]): HeaderBlock | RichTextBlock {
  const text = spansText(spans).trim()
  const isPlain = text !== '' && text.length <= SLACK_LIMITS.header && !/[&<>@\n]|:\/\//.test(text)
  if (isPlain) return { type: 'header', text: { type: 'plain_text', text, emoji: false } }
  return richText({ type: 'rich_text_section', elements: spanElements(spans.map(span => ({ ...span, bold: true }))) })
}

function listElements(items: readonly ListItem[]): readonly RichTextList[] {
  const lists: (RichTextList & { offset?: number })[] = []
  let previous: ListItem | undefined
  for (const item of items) {
    const section: RichTextSection = { type: 'rich_text_section', elements: spanElements(item.spans) }
    const goesOn =
      previous !== undefined &&
      previous.indent === item.indent &&
      (item.number === undefined ? previous.number === undefined : previous.number === item.number - 1)
    previous = item
    const last = lists.at(-1)
    if (goesOn && last !== undefined) {
      last.elements.push(section)
      continue
    }
    const style = item.number === undefined ? 'bullet' : 'ordered'
    const offset = item.number === undefined || item.number <= 1 ? {} : { offset: item.number - 1 }
    lists.push({ type: 'rich_text_list', style, indent: item.indent, elements: [section], ...offset })
  }
  return lists
}
