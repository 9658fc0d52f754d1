import stringWidth from 'string-width'
import { TERMINAL_LIMITS } from './limits.ts'

const SPACE = /(?<= )/
/**
 * Matches the places where a long name may be broken. In this example, bars mark them: `operation:|with_|country`, `user|Name`. A
 * date or time has no such place.
 */
const PART_END = /(?<=[ _]|\p{L}[:./-])|(?<=\p{Ll})(?=\p{Lu}\p{Ll})/u

export interface DrawnTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly numeric: ReadonlySet<number>
  /** The indexes of columns with values that people copy, such as ids. A grid never breaks these values over two lines. */
  readonly whole?: ReadonlySet<number>
  readonly hidesEmpty?: boolean
}

/**
 * Draws a table within `width` columns. If it is too wide, wraps headers first, then cells. If it is then still too wide, each
 * row becomes a block of lines.
 */
export function drawTable(given: DrawnTable, width: number): string {
  const { table, columns, widths } = layOut(given, width)
  return widths === undefined ? records(table, columns, width) : grid(table, columns, widths)
}

/** Whether a table fits into a grid. Otherwise each row becomes a block of lines. */
export function fitsGrid(given: DrawnTable, width: number): boolean {
  return layOut(given, width).widths !== undefined
}

interface LaidOutTable {
  readonly table: DrawnTable
  readonly columns: readonly number[]
  /** The widths of the columns in a grid. Undefined if the table does not fit into a grid. */
  readonly widths: readonly number[] | undefined
}

function layOut(given: DrawnTable, width: number): LaidOutTable {
  const table = { ...given, header: given.header.map(onOneLine), rows: given.rows.map(cells => cells.map(onOneLine)) }
  const all = [table.header, ...table.rows]
  // A row may have more cells than the header, so the longest row determines the number of columns.
  const columns = Array.from({ length: Math.max(...all.map(cells => cells.length)) }, (_, index) => index).filter(
    index => !given.hidesEmpty || table.rows.length === 0 || table.rows.some(cells => (cells[index] ?? '') !== ''),
  )
  const needs = columns.map(index => {
    const values = table.rows.map(cells => cells[index] ?? '')
    // A number must not be broken over two lines: it would look like two numbers.
    return needOf(table.header[index] ?? '', values, table.numeric.has(index) || (table.whole?.has(index) ?? false))
  })
  return { table, columns, widths: narrowed(needs, width - 3 * columns.length - 1) }
}

function grid(table: DrawnTable, columns: readonly number[], widths: readonly number[]): string {
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map(size => '─'.repeat(size + 2)).join(middle) + right
  const row = (cells: readonly string[]) => {
    const wrapped = columns.map((index, place) => wrap(cells[index] ?? '', widths[place] ?? 1))
    const height = Math.max(...wrapped.map(lines => lines.length))
    return Array.from({ length: height }, (_, line) => {
      const parts = columns.map(
        (index, place) => ` ${padded(wrapped[place]?.[line] ?? '', widths[place] ?? 0, table.numeric.has(index))} `,
      )
      return `│${parts.join('│')}│`
    }).join('\n')
  }
  return [rule('┌', '┬', '┐'), row(table.header), rule('├', '┼', '┤'), ...table.rows.map(row), rule('└', '┴', '┘')].join('\n')
}

/** Draws a numbered block for each row, with one line per cell. If there are no rows, lists only the column names. */
function records({ header, rows }: DrawnTable, columns: readonly number[], width: number): string {
  const names = columns.map(index => header[index] ?? '')
  const most = Math.max(TERMINAL_LIMITS.tableColumnColumns, Math.floor(width * TERMINAL_LIMITS.recordNameShare))
  const room = Math.min(most, Math.max(...names.map(name => stringWidth(name))))
  if (rows.length === 0) return wrap(names.join(', '), width).join('\n')
  return rows
    .flatMap((cells, at) => [
      `─ ${at + 1} `.padEnd(Math.min(width, room + 2 + TERMINAL_LIMITS.tableColumnColumns), '─'),
      ...columns.flatMap((index, place) => {
        const [name, value] = [
          wrap(names[place] ?? '', room),
          wrap(cells[index] ?? '', Math.max(TERMINAL_LIMITS.tableColumnColumns, width - room - 2)),
        ]
        return Array.from({ length: Math.max(name.length, value.length) }, (_, line) =>
          `${padded(name[line] ?? '', room, false)}  ${value[line] ?? ''}`.trimEnd(),
        )
      }),
    ])
    .join('\n')
}

/** Puts a cell's text on one line, because line breaks and tabs in the text would break the table's lines. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/**
 * The widths that a column needs. `natural` is the ideal width. A table that is too wide shrinks in several rounds, and `floors`
 * has the column's minimum width for each round. First headers are wrapped between words, then within long names. Then cells are
 * wrapped in the same two ways.
 */
interface ColumnNeed {
  readonly natural: number
  readonly floors: readonly number[]
}

function needOf(header: string, values: readonly string[], isKept: boolean): ColumnNeed {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(text => stringWidth(text.trimEnd())))
  const wordsOf = (texts: readonly string[], ends: RegExp) => widest(texts.flatMap(text => text.split(ends)))
  const [whole, word, part] = [widest(values), wordsOf(values, SPACE), wordsOf(values, PART_END)]
  const [headWord, headPart] = [wordsOf([header], SPACE), wordsOf([header], PART_END)]
  const rounds = [
    [headWord, whole],
    [headPart, whole],
    [headPart, word],
    [headPart, part],
  ] as const
  const floors = rounds.map(([ofHeader, ofValues]) =>
    Math.max(TERMINAL_LIMITS.tableColumnColumns, ofHeader, isKept ? whole : ofValues),
  )
  return { natural: Math.max(stringWidth(header), whole), floors }
}

/**
 * Shrinks columns until the table fits. In each step, the widest column that may still shrink in this round loses one character.
 * Undefined if the table does not fit after all rounds.
 */
function narrowed(needs: readonly ColumnNeed[], room: number): readonly number[] | undefined {
  const widths = needs.map(({ natural }) => natural)
  let excess = widths.reduce((sum, size) => sum + size, 0) - room
  for (const round of needs[0]?.floors.keys() ?? []) {
    for (; excess > 0; excess--) {
      const free = widths.map((size, place) => (size > (needs[place]?.floors[round] ?? 0) ? size : 0))
      const most = Math.max(...free)
      if (most === 0) break
      widths[free.indexOf(most)] = most - 1
    }
  }
  return excess > 0 ? undefined : widths
}

function padded(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? space + text : text + space
}

/** Wraps a text between words if possible, otherwise at the break points of a long name, otherwise at any place. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  const fits = (piece: string) => stringWidth((line + piece).trimEnd()) <= width
  const isLine = (piece: string) => stringWidth(piece.trimEnd()) <= width
  for (const piece of text.split(SPACE).flatMap(word => (isLine(word) ? [word] : word.split(PART_END)))) {
    if (line !== '' && !fits(piece)) {
      lines.push(line.trimEnd())
      line = ''
    }
    if (fits(piece)) {
      line += piece
      continue
    }
    for (const { segment } of new Intl.Segmenter().segment(piece)) {
      if (line !== '' && !fits(segment)) {
        lines.push(line)
        line = ''
      }
      line += segment
    }
  }
  return [...lines, line.trimEnd()]
}
