import { styleText } from 'node:util'
import { TERMINAL_LIMITS } from './limits.ts'

type Format = Parameters<typeof styleText>[0]

/** Formats a text, or returns it unchanged if colors are off. */
export type TerminalStyle = (format: Format, text: string) => string

export function terminalStyle(colors: boolean): TerminalStyle {
  return (format, text) => (colors ? styleText(format, text) : text)
}

export interface View {
  readonly style: TerminalStyle
  readonly width: number
  /** Whether prose is wrapped at `width`. True at a terminal, false in a file or pipe. */
  readonly wraps: boolean
}

export function viewOf(stream: NodeJS.WriteStream): View {
  // Some terminals do not know their width and report 0.
  const width = stream.columns || TERMINAL_LIMITS.columns
  return { style: terminalStyle(stream.isTTY && stream.hasColors()), width, wraps: stream.isTTY }
}
