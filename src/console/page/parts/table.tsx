import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { useRoving } from './roving.ts'

export interface Column<Row> {
  readonly head: ComponentChildren
  cell(row: Row, index: number): ComponentChildren
  /** `number` aligns right. `wide` takes the room that is left. `aside` is left out on a phone. */
  readonly kind?: 'number' | 'wide' | 'aside' | 'number aside' | undefined
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  keyOf?(row: Row, index: number): string | number
  /** Makes rows pressable. */
  choose?(row: Row): void
  /** The indexes of highlighted rows. The first one is scrolled into sight, and the column whose head is marked. */
  readonly marked?: ReadonlySet<number>
  /** Called when the reader comes near the last row. */
  atEnd?(): void
}

/** As tall as a row of `.table` is. */
const ROW_PX = 36
/** Rows that are drawn above and below those in sight. */
const MARGIN = 12
const NONE: ReadonlySet<number> = new Set()

/** A table that draws only the rows in sight, so that 10,000 rows scroll without a stutter. */
export function Table<Row>({ label, columns, rows, keyOf, choose, marked = NONE, atEnd }: TableProps<Row>) {
  const { ref: box, onKeyDown } = useRoving<HTMLElement>('td :is(a, button, input)')
  const [{ top, height }, setView] = useState({ top: 0, height: 900 })
  const [firstMarked] = marked
  const scrolled = () => {
    if (box.current === null) return
    const { scrollTop, scrollHeight, clientHeight } = box.current
    setView({ top: scrollTop, height: clientHeight })
    if (scrollTop + 2 * clientHeight > scrollHeight) atEnd?.()
  }
  useLayoutEffect(() => {
    if (firstMarked === undefined || box.current === null) return
    const { clientHeight, clientWidth } = box.current
    const { offsetLeft = 0, offsetWidth = 0 } = box.current.querySelector('.marked-head')?.closest('th') ?? {}
    box.current.scrollTo(offsetLeft + (offsetWidth - clientWidth) / 2, firstMarked * ROW_PX - clientHeight / 2)
  }, [marked, rows])
  const first = Math.max(0, Math.min(Math.floor(top / ROW_PX) - MARGIN, rows.length - 1))
  const shown = rows.slice(first, first + Math.ceil(height / ROW_PX) + 2 * MARGIN)
  const gap = (count: number) => count > 0 && <tr style={{ height: `${count * ROW_PX}px` }} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the box.
    <section class="table" aria-label={label} ref={box} tabIndex={0} {...{ onKeyDown }} onScroll={scrolled}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map(({ head, kind }, at) => (
              <th key={at} scope="col" class={kind}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {gap(first)}
          {shown.map((row, at) => (
            <tr
              key={keyOf?.(row, first + at) ?? first + at}
              aria-rowindex={first + at + 2}
              class={`${marked.has(first + at) ? 'marked' : ''} ${choose ? 'pressable' : ''}`}
              onClick={choose && (() => choose(row))}
            >
              {columns.map(({ cell, kind }, index) => (
                <td key={index} class={kind}>
                  {cell(row, first + at)}
                </td>
              ))}
            </tr>
          ))}
          {gap(rows.length - first - shown.length)}
        </tbody>
      </table>
    </section>
  )
}
