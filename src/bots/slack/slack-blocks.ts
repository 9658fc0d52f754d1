import type {
  HeaderBlock,
  KnownBlock,
  RawTextElement,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextList,
  RichTextSection,
  RichTextText,
  TableBlock,
} from '@slack/types'
import type { Item, Piece, Table } from '../markdown/piece.ts'
import { type Span, spansText } from '../markdown/span.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

/**
 * Pieces as Block Kit. Text goes into rich-text elements, which Slack shows as they are: it finds no mention, link or markup in them
 * (docs.slack.dev/reference/block-kit/blocks/rich-text-block), unlike in `mrkdwn` and `markdown` text.
 */
export function pieceBlocks(pieces: readonly Piece[]): KnownBlock[] {
  const blocks: KnownBlock[] = []
  let items: Item[] = []
  const closeList = () => {
    if (items.length > 0) blocks.push(richText(...listElements(items)))
    items = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'item') {
      items.push(piece)
      continue
    }
    closeList()
    blocks.push(pieceBlock(piece))
  }
  closeList()
  return blocks
}

function pieceBlock(piece: Exclude<Piece, Item>): KnownBlock {
  if (piece.kind === 'rule') return { type: 'divider' }
  if (piece.kind === 'table') return tableBlock(piece)
  if (piece.kind === 'code') return richText({ type: 'rich_text_preformatted', elements: textElements(piece.text) })
  if (piece.kind === 'heading') return headingBlock(piece.spans)
  const elements = spanElements(piece.spans)
  return richText(piece.kind === 'quote' ? { type: 'rich_text_quote', elements } : { type: 'rich_text_section', elements })
}

/** A header shows plain text only; what could be read as markup there stays in bold rich text. */
function headingBlock(spans: readonly Span[]): HeaderBlock | RichTextBlock {
  const text = spansText(spans).trim()
  const isPlain = text !== '' && text.length <= SLACK_LIMITS.header && !/[&<>@\n]|:\/\//.test(text)
  if (isPlain) return { type: 'header', text: { type: 'plain_text', text, emoji: false } }
  return richText({ type: 'rich_text_section', elements: spanElements(spans.map(span => ({ ...span, bold: true }))) })
}

function listElements(items: readonly Item[]): readonly RichTextList[] {
  const lists: (RichTextList & { offset?: number })[] = []
  let previous: Item | undefined
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

function tableBlock(table: Table): TableBlock {
  const cell = (spans: readonly Span[]): RichTextBlock | RawTextElement => {
    const text = spansText(spans).replaceAll('\n', ' ')
    const isPlain = spans.every(span => Object.keys(span).length === 1) && literalParts(text).length <= 1
    // An empty cell is refused.
    if (isPlain) return { type: 'raw_text', text: text === '' ? ' ' : text }
    return richText({ type: 'rich_text_section', elements: spanElements(spans) })
  }
  return {
    type: 'table',
    column_settings: table.align.map(align => ({ align, is_wrapped: true })),
    rows: [table.header, ...table.rows].map(row => row.map(cell)),
  }
}

function richText(...elements: RichTextBlockElement[]): RichTextBlock {
  return { type: 'rich_text', elements }
}

function spanElements(spans: readonly Span[]): RichTextElement[] {
  const elements = spans.flatMap((span): RichTextElement[] => {
    const { text, link, ...style } = span
    const styled = Object.keys(style).length === 0 ? {} : { style }
    if (link !== undefined) return [{ type: 'link', url: link, text, ...styled }]
    return text === '' ? [] : textElements(text).map(element => ({ ...element, ...styled }))
  })
  return elements.length === 0 ? textElements(' ') : elements
}

function textElements(text: string): RichTextText[] {
  return literalParts(text).map(part => ({ type: 'text', text: part }))
}

/** A second wall behind rich text: `<!here>`, `@channel` or `http://` never stands whole in one element, so that no client can find it there. */
function literalParts(text: string): readonly string[] {
  return text.split(/(?<=<)(?=[@!#])|(?<=@)(?=here|channel|everyone)|(?<=:)(?=\/\/)/)
}
