import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

export interface Column<Row> {
  readonly head: ComponentChildren
  cell(row: Row, index: number): ComponentChildren
  /** `number` aligns right. `wide` takes the room that is left. `aside` is left out on a phone. */
  readonly kind?: 'number' | 'wide' | 'aside' | 'number aside'
}

/** As tall as `.table td` is. */
const ROW_PX = 36
/** Rows that are drawn above and below those in sight. */
const MARGIN = 12

/** A table that draws only the rows in sight, so that 10,000 rows scroll without a stutter. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  choose,
  marked = NONE,
  atEnd,
}: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  keyOf?(row: Row, index: number): string | number
  /** Makes rows pressable. */
  choose?(row: Row): void
  /** The indexes of highlighted rows. The first one is scrolled into sight. */
  readonly marked?: ReadonlySet<number>
  /** Called when the reader comes near the last row. */
  atEnd?(): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [firstMarked] = marked
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    setHeight(current.clientHeight)
    if (firstMarked === undefined) return
    current.scrollTop = Math.max(0, firstMarked * ROW_PX - current.clientHeight / 2 + ROW_PX)
  }, [firstMarked, rows.length])
  const scrolled = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: { readonly currentTarget: HTMLElement }) => {
    setTop(scrollTop)
    if (scrollTop + 2 * clientHeight > scrollHeight) atEnd?.()
  }
  const first = Math.max(0, Math.min(Math.floor(top / ROW_PX) - MARGIN, rows.length - 1))
  const shown = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * MARGIN)
  const below = rows.length - first - shown.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the box.
    <div class="table" ref={box} tabIndex={0} onScroll={scrolled}>
      <table aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" class={column.kind}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Gap rows={first} />}
          {shown.map((row, at) => (
            <tr
              key={keyOf?.(row, first + at) ?? first + at}
              aria-rowindex={first + at + 2}
              class={`${marked.has(first + at) ? 'marked' : ''} ${choose ? 'pressable' : ''}`}
              onClick={choose && (() => choose(row))}
            >
              {columns.map((column, index) => (
                <td key={index} class={column.kind}>
                  {column.cell(row, first + at)}
                </td>
              ))}
            </tr>
          ))}
          {below > 0 && <Gap rows={below} />}
        </tbody>
      </table>
    </div>
  )
}

const NONE: ReadonlySet<number> = new Set()

function Gap({ rows }: { readonly rows: number }) {
  return (
    <tr>
      <td class="gap" style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  )
}
