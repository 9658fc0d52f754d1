import { styleText } from 'node:util'
import { TERMINAL_LIMITS } from './limits.ts'

type Format = Parameters<typeof styleText>[0]

/** Styles text, or leaves it plain without colors. */
export type TerminalStyle = (format: Format, text: string) => string

export function terminalStyle(colors: boolean): TerminalStyle {
  return (format, text) => (colors ? styleText(format, text) : text)
}

export interface View {
  readonly style: TerminalStyle
  readonly width: number
  /** Whether prose wraps at that width: at a terminal, but not in a file or pipe. */
  readonly wraps: boolean
}

export function viewOf(stream: NodeJS.WriteStream): View {
  // A terminal that does not know its width reports 0.
  const width = stream.columns || TERMINAL_LIMITS.columns
  return { style: terminalStyle(stream.isTTY && stream.hasColors()), width, wraps: stream.isTTY }
}
