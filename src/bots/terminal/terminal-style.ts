import { styleText } from 'node:util'

const DEFAULT_WIDTH = 100

type Format = Parameters<typeof styleText>[0]

/** Dresses text for a terminal, or leaves it as it is where there are no colours. */
export type TerminalStyle = (format: Format, text: string) => string

export function terminalStyle(colors: boolean): TerminalStyle {
  return (format, text) => (colors ? styleText(format, text) : text)
}

/** How text is to look where it is shown. */
export interface View {
  readonly style: TerminalStyle
  /** Terminal columns. */
  readonly width: number
  /** Whether prose is broken between words at that width: at a terminal, not in a file or a pipe. */
  readonly wraps: boolean
}

/** How wide and how coloured a stream may be written to. */
export function viewOf(stream: NodeJS.WriteStream): View {
  // A terminal that does not know its width says 0.
  const width = stream.columns || DEFAULT_WIDTH
  return { style: terminalStyle(stream.isTTY && stream.hasColors()), width, wraps: stream.isTTY }
}
