import stringWidth from 'string-width'

const NARROWEST_COLUMN = 6

export interface DrawnTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Columns set to the right, as numbers are. */
  readonly numeric: ReadonlySet<number>
  /** Columns that are copied, as ids are: broken in two only where nothing else is left to narrow. */
  readonly whole?: ReadonlySet<number>
}

/** Draws a table with lines that fits `width` terminal columns: the widest columns are narrowed first, and their cells go on in further lines. */
export function drawTable(given: DrawnTable, width: number): string {
  const table = { ...given, header: given.header.map(onOneLine), rows: given.rows.map(cells => cells.map(onOneLine)) }
  const all = [table.header, ...table.rows]
  // A row may have more cells than the header.
  const columns = Array.from({ length: Math.max(...all.map(cells => cells.length)) }, (_, index) => index)
  const natural = columns.map(index => Math.max(...all.map(cells => stringWidth(cells[index] ?? ''))))
  // A number that is broken in two reads as another one.
  const kept = new Set([...table.numeric, ...(table.whole ?? [])])
  const widths = narrowed(natural, width - 3 * columns.length - 1, kept)
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map(size => '─'.repeat(size + 2)).join(middle) + right
  const row = (cells: readonly string[]) => {
    const wrapped = columns.map(index => wrap(cells[index] ?? '', widths[index] ?? 1))
    const height = Math.max(...wrapped.map(lines => lines.length))
    return Array.from({ length: height }, (_, line) => {
      const parts = columns.map(
        index => ` ${padded(wrapped[index]?.[line] ?? '', widths[index] ?? 0, table.numeric.has(index))} `,
      )
      return `│${parts.join('│')}│`
    }).join('\n')
  }
  return [rule('┌', '┬', '┐'), row(table.header), rule('├', '┼', '┤'), ...table.rows.map(row), rule('└', '┴', '┘')].join('\n')
}

/** A line's end or a tab within a cell would break the lines of the table. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function narrowed(natural: readonly number[], room: number, kept: ReadonlySet<number>): number[] {
  const widths = [...natural]
  let excess = widths.reduce((sum, size) => sum + size, 0) - room
  while (excess > 0) {
    const widest = widestOf(widths, kept)
    const size = widths[widest] ?? 0
    if (size <= NARROWEST_COLUMN) break
    widths[widest] = size - 1
    excess--
  }
  return widths
}

/** The widest column that may be narrowed: one that is not kept, as long as there is one. */
function widestOf(widths: readonly number[], kept: ReadonlySet<number>): number {
  const free = widths.map((size, index) => (kept.has(index) ? 0 : size))
  const most = Math.max(...free)
  return most > NARROWEST_COLUMN ? free.indexOf(most) : widths.indexOf(Math.max(...widths))
}

function padded(text: string, width: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)))
  return right ? space + text : text + space
}

/** The text in lines of at most `width`, broken between words where that is possible. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<= )/)) {
    if (stringWidth((line + word).trimEnd()) <= width) {
      line += word
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    line = ''
    for (const { segment } of new Intl.Segmenter().segment(word)) {
      if (line !== '' && stringWidth((line + segment).trimEnd()) > width) {
        lines.push(line)
        line = ''
      }
      line += segment
    }
  }
  return [...lines, line.trimEnd()]
}
