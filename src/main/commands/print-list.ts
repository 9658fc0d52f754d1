import { drawTable } from '../../bots/terminal/draw-table.ts'
import { viewOf } from '../../bots/terminal/style.ts'
import { terminalText } from '../../bots/terminal/text.ts'
import { type CommandContext, EXIT } from './command-context.ts'

interface List {
  /** The list as JSON. */
  readonly value: unknown
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number | Date)[])[]
  readonly numeric?: readonly number[]
  /** The columns with values that people copy. */
  readonly whole?: readonly number[]
  /** What is told of an empty list. */
  readonly empty: string
}

/** Prints a list as a table, or with `--json` as JSON. Returns the exit code. */
export function printList(
  { output }: CommandContext,
  { json }: { readonly json: boolean },
  { value, header, rows, numeric, whole, empty }: List,
): number {
  const cells = rows.map(row => row.map(cell => terminalText(cell instanceof Date ? cell.toISOString() : `${cell}`)))
  const table = { header, rows: cells, numeric: new Set(numeric), whole: new Set(whole) }
  const drawn = () => (rows.length === 0 ? empty : drawTable(table, viewOf(output).width))
  output.write(`${json ? JSON.stringify(value) : drawn()}\n`)
  return EXIT.answered
}
