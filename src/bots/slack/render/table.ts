import type { DataTableBlock, RawNumberElement, RawTextElement, RichTextBlock, TableBlock } from '@slack/types'
import { columnAligns, type Row, type Table } from '../../markdown/piece.ts'
import { type Span, spansText } from '../../markdown/span.ts'
import { shortLine } from '../../shared/shown-text.ts'
import { SLACK_LIMITS } from '../limits.ts'
import { literalParts, richText, spanElements } from './rich-text.ts'

/** Lays out a table as a block. A long table is shown in pages, and people can sort and filter it. */
export function tableBlock(table: Table): TableBlock | DataTableBlock {
  const header = table.header.map(textCell)
  const names = header.filter(cell => cell.type === 'raw_text')
  const isLong = table.rows.length > SLACK_LIMITS.tablePage && names.length === header.length
  if (!isLong) return plainTable(table)
  return {
    type: 'data_table',
    caption: shortLine(names.map(cell => cell.text).join(', '), SLACK_LIMITS.header) || 'Table',
    page_size: SLACK_LIMITS.tablePage,
    rows: [names, ...table.rows.map(row => row.map(cell => numberCell(cell) ?? textCell(cell)))],
  }
}

function plainTable(table: Table): TableBlock {
  return {
    type: 'table',
    column_settings: columnAligns(table).map(align => ({ align, is_wrapped: true })),
    rows: [table.header, ...table.rows].map((row: Row) => row.map(textCell)),
  }
}

function textCell(spans: readonly Span[]): RichTextBlock | RawTextElement {
  const text = spansText(spans).replaceAll('\n', ' ')
  const isPlain = spans.every(span => Object.keys(span).length === 1) && literalParts(text).length <= 1
  // Slack refuses an empty cell, so an empty cell gets a space.
  if (isPlain) return { type: 'raw_text', text: text === '' ? ' ' : text }
  return richText({ type: 'rich_text_section', elements: spanElements(spans) })
}

/** Lays out a cell with a number. Slack sorts by the value, but shows the number as it is written. */
function numberCell(spans: readonly Span[]): RawNumberElement | undefined {
  const text = spansText(spans)
  const isNumber = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)
  return isNumber ? { type: 'raw_number', value: Number(text.replaceAll(',', '')), text } : undefined
}
