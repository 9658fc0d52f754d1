import stringWidth from 'string-width'
import { type Align, columnAligns, type LaidOut, rowSpans, type Table } from '../../markdown/piece.ts'
import { type Span, spansText } from '../../markdown/span.ts'
import { DISCORD_LIMITS } from '../limits.ts'
import { pieceMarkdown } from './piece.ts'

const GAP = '  '

/**
 * Writes a table as aligned code, because Discord has no tables. Each block has at most `most` characters and repeats the header.
 * If a phone would wrap the lines, each row becomes a paragraph with one line per cell.
 */
export function tablePieces(table: Table, most: number): readonly LaidOut[] {
  const header = table.header.map(cellText)
  const rows = table.rows.map(row => row.map(cellText))
  const widths = header.map((name, column) =>
    Math.max(1, ...[name, ...rows.map(row => row[column] ?? '')].map(cell => stringWidth(cell))),
  )
  const width = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length)
  if (width > DISCORD_LIMITS.tableColumns) return recordPieces(table)
  const aligns = columnAligns(table)
  const line = (cells: readonly string[]) =>
    widths
      .map((each, column) => padded(cells[column] ?? '', each, aligns[column]))
      .join(GAP)
      .trimEnd()
  const head = [line(header), widths.map(each => '─'.repeat(each)).join(GAP)]
  return blocks(head, rows.map(line), most)
}

function blocks(head: readonly string[], lines: readonly string[], most: number): readonly LaidOut[] {
  const block = (shown: readonly string[]): LaidOut => ({ kind: 'code', text: [...head, ...shown].join('\n'), language: '' })
  const found: LaidOut[] = []
  let shown: string[] = []
  let length = 0
  for (const line of lines) {
    // The exact length of a block takes long to compute, so it is computed only for a block that may be too long.
    const mayBeTooLong = length + line.length > most / 2
    if (shown.length > 0 && mayBeTooLong && pieceMarkdown(block([...shown, line])).length > most) {
      found.push(block(shown))
      shown = []
      length = 0
    }
    shown.push(line)
    length += line.length + 1
  }
  return [...found, block(shown)]
}

function recordPieces({ header, rows }: Table): readonly LaidOut[] {
  if (rows.length === 0) return [{ kind: 'paragraph', spans: rowSpans(header) }]
  return rows.map(row => ({
    kind: 'paragraph',
    spans: row.flatMap((cell, column) => recordSpans(header[column] ?? [], cell, column)),
  }))
}

function recordSpans(name: readonly Span[], cell: readonly Span[], column: number): readonly Span[] {
  const key = spansText(name).trim()
  return [
    ...(column === 0 ? [] : [{ text: '\n' }]),
    ...(key === '' ? [] : [{ text: `${key}:`, bold: true as const }, { text: ' ' }]),
    ...cell,
  ]
}

function cellText(cell: readonly Span[]): string {
  return spansText(cell).replace(/\s+/g, ' ').trim()
}

function padded(text: string, width: number, align: Align | undefined): string {
  const room = Math.max(0, width - stringWidth(text))
  const before = align === 'right' ? room : align === 'center' ? Math.floor(room / 2) : 0
  return ' '.repeat(before) + text + ' '.repeat(room - before)
}
