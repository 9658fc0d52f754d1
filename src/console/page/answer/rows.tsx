import { useMemo } from 'preact/hooks'
import type { FigureSource } from '../../../answer-check/workings/figure-source.ts'
import { type Column, Table } from '../parts/table.tsx'

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
  return isMarked ? <mark>{shown}</mark> : <span title={shown.length > 40 ? shown : undefined}>{shown}</span>
}
