import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { type CommandContext, EXIT } from './command-context.ts'

interface List {
  /** The list as JSON. Absent if it is never asked for. */
  readonly value?: unknown
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number | Date)[])[]
  readonly numeric?: readonly number[]
  /** The columns with values that people copy. */
  readonly whole?: readonly number[]
  /** Whether columns without a value are left out. */
  readonly hidesEmpty?: boolean
  /** What is told of an empty list. Absent: its header. */
  readonly empty?: string
}

/** Prints a list as a table, or with `--json` as JSON. Returns the exit code. */
export function printList(
  { output }: Pick<CommandContext, 'output'>,
  { json = false }: { readonly json?: boolean },
  { value, rows, numeric, whole, empty, ...shown }: List,
): number {
  const cells = rows.map(row => row.map(cell => terminalText(cell instanceof Date ? cell.toISOString() : `${cell}`)))
  const table = { ...shown, rows: cells, numeric: new Set(numeric), whole: new Set(whole) }
  const drawn = () => (rows.length === 0 ? empty : undefined) ?? drawTable(table, viewOf(output).width)
  output.write(`${json ? JSON.stringify(value) : drawn()}\n`)
  return EXIT.answered
}
