import stringWidth from 'string-width'

const NARROWEST_COLUMN = 6

export interface DrawnTable {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Columns set to the right, as numbers are. */
  readonly numeric: ReadonlySet<number>
}

/** Draws a table with lines that fits `width` terminal columns: the widest columns are narrowed first, and cells are cut with a mark. */
export function drawTable(table: DrawnTable, width: number): string {
  const columns = table.header.map((_, index) => index)
  const natural = columns.map(index => Math.max(...[table.header, ...table.rows].map(cells => stringWidth(cells[index] ?? ''))))
  const widths = narrowed(natural, width - 3 * columns.length - 1)
  const line = (left: string, middle: string, right: string) =>
    left + widths.map(size => '─'.repeat(size + 2)).join(middle) + right
  const row = (cells: readonly string[]) =>
    `│${columns.map(index => ` ${padded(cells[index] ?? '', widths[index] ?? 0, table.numeric.has(index))} `).join('│')}│`
  return [line('┌', '┬', '┐'), row(table.header), line('├', '┼', '┤'), ...table.rows.map(row), line('└', '┴', '┘')].join('\n')
}

function narrowed(natural: readonly number[], room: number): number[] {
  const widths = [...natural]
  let excess = widths.reduce((sum, size) => sum + size, 0) - room
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    const size = widths[widest] ?? 0
    if (size <= NARROWEST_COLUMN) break
    widths[widest] = size - 1
    excess--
  }
  return widths
}

function padded(text: string, width: number, right: boolean): string {
  const fitting = stringWidth(text) <= width ? text : cut(text, width)
  const space = ' '.repeat(Math.max(0, width - stringWidth(fitting)))
  return right ? space + fitting : fitting + space
}

function cut(text: string, width: number): string {
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
