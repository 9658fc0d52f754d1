import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { FigureSource } from '../../../answer-check/workings/figure-source.ts'
import { CellText } from './cell-text.tsx'
import { useRoving } from './roving.ts'
import { Empty } from './states.tsx'

export interface Column<Row> {
  readonly head: ComponentChildren
  cell(row: Row, index: number): ComponentChildren
  /** `number` aligns right. `wide` takes the room that is left. `aside` is left out on a phone. */
  readonly kind?: 'number' | 'wide' | 'aside' | 'number aside' | undefined
}

interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** A row with state in its cells has an `id`. */
  readonly rows: readonly Row[]
  /** Stands in place of a table without rows. */
  readonly empty?: string
  /** The indexes of highlighted rows. The first one is scrolled into sight, and the column whose head is marked. */
  readonly marked?: ReadonlySet<number>
}

/** As tall as a row of `.table` is. */
const ROW_PX = 36
/** Rows that are drawn above and below those in sight. */
const MARGIN = 12
const NONE: ReadonlySet<number> = new Set()

/** A table that draws only the rows in sight, so that 10,000 rows scroll without a stutter. */
export function Table<Row>({ label, columns, rows, empty, marked = NONE }: TableProps<Row>) {
  const { ref: box, onKeyDown } = useRoving<HTMLElement>('td :is(a, button, input, .key)')
  const [{ top, height }, setView] = useState({ top: 0, height: 900 })
  const [firstMarked] = marked
  const scrolled = () => {
    if (box.current !== null) setView({ top: box.current.scrollTop, height: box.current.clientHeight })
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
  if (rows.length === 0 && empty) return <Empty>{empty}</Empty>
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
          {shown.map((row, at) => {
            const index = first + at
            const { id = index } = row as { readonly id?: string }
            return (
              <tr key={id} aria-rowindex={index + 2} class={marked.has(index) ? 'marked' : undefined}>
                {columns.map(({ cell, kind }, column) => (
                  <td key={column} class={kind}>
                    {cell(row, index)}
                  </td>
                ))}
              </tr>
            )
          })}
          {gap(rows.length - first - shown.length)}
        </tbody>
      </table>
    </section>
  )
}

interface RowsProps {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly unknown[])[]
  /** The cells to mark. */
  readonly cells?: FigureSource['cells']
}

const NUMERIC = /U?Int|Float|Decimal|numeric|double|real|bigint|smallint|integer/i

/** The rows of a query's result. All cells are text, whatever they contain. */
export function Rows({ name, columns, rows, cells = [] }: RowsProps) {
  const marked = useMemo(() => new Set(cells.map(({ row }) => row - 1)), [cells])
  const markedColumns = new Set(cells.map(({ column }) => column))
  const shown: readonly Column<readonly unknown[]>[] = columns.map(({ name: head, type }, at) => ({
    head: <span class={markedColumns.has(head) ? 'marked-head' : undefined}>{head}</span>,
    kind: NUMERIC.test(type) ? 'number' : undefined,
    cell: (row, index) => <Cell value={row[at]} isMarked={marked.has(index) && markedColumns.has(head)} />,
  }))
  return <Table label={`Rows of ${name}`} columns={shown} rows={rows} marked={marked} />
}

/** A long text is cut in the cell. Its start stands in the tooltip. */
const CELL_CHARACTERS = 300

function Cell({ value, isMarked }: { readonly value: unknown; readonly isMarked: boolean }) {
  if (value === null) return <span class="soft">NULL</span>
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const shown = text.slice(0, CELL_CHARACTERS)
  const drawn = <CellText text={shown} />
  return isMarked ? <mark>{drawn}</mark> : <span title={shown.length > 40 ? shown : undefined}>{drawn}</span>
}
