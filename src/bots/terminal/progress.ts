import type { Writable } from 'node:stream'
import stringWidth from 'string-width'
import type { RunEvent } from '../../agent/run/event.ts'
import type { Language } from '../../words/language.ts'
import { ProgressLines } from '../shared/progress-lines.ts'
import { TERMINAL_LIMITS } from './limits.ts'
import type { TerminalStyle } from './style.ts'
import { terminalText } from './text.ts'

/** Shows a run's progress. At a terminal, the lines are rewritten in place. In a file or pipe, each new line is written once. */
export class TerminalProgress {
  readonly #output: Writable
  readonly #inPlace: boolean
  readonly #style: TerminalStyle
  readonly #width: number
  readonly #lines: ProgressLines
  readonly #printed = new Set<string>()
  #shown = 0
  #isPaused = false

  constructor(options: {
    readonly output: Writable
    readonly inPlace: boolean
    readonly style: TerminalStyle
    readonly width: number
    /** The language to use until the question is understood. Default: English. */
    readonly language?: Language
  }) {
    this.#lines = new ProgressLines(options.language)
    this.#output = options.output
    this.#inPlace = options.inPlace
    this.#style = options.style
    this.#width = options.width
  }

  /** The language of the conversation. Until this is known, the default language. */
  get language(): Language {
    return this.#lines.language
  }

  observe(event: RunEvent): void {
    if (this.#lines.observe(event) && !this.#isPaused) this.#draw()
  }

  #draw(): void {
    const width = this.#width - 1
    // Cuts a long question, so that the query's state stays visible after it.
    const shorten = (question: string, beside: string) =>
      cutToWidth(terminalText(question), Math.max(width - stringWidth(beside), TERMINAL_LIMITS.questionColumns))
    const lines = this.#lines.lines(shorten).map(line => cutToWidth(terminalText(line), width))
    if (this.#inPlace) {
      this.clear()
      this.#output.write(lines.map(line => `${this.#style('dim', line)}\n`).join(''))
      this.#shown = lines.length
      return
    }
    for (const line of lines) {
      if (this.#printed.has(line)) continue
      this.#printed.add(line)
      this.#output.write(`${line}\n`)
    }
  }

  /** Removes the progress until `resume`, so that Clew can ask the person something. */
  pause(): void {
    this.#isPaused = true
    this.clear()
  }

  resume(): void {
    this.#isPaused = false
    this.#draw()
  }

  /** Removes the progress, so that the answer takes its place. */
  clear(): void {
    if (this.#shown > 0) this.#output.write(`\u001b[${this.#shown}A\u001b[0J`)
    this.#shown = 0
  }
}

/** Cuts a line to the width. If the terminal wrapped the line into two, `clear` would not remove all of it. */
function cutToWidth(line: string, width: number): string {
  if (stringWidth(line) <= width) return line
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (stringWidth(cut + segment) > width - 1) break
    cut += segment
  }
  return `${cut}…`
}
