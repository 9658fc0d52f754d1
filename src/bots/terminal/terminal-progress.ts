import type { Writable } from 'node:stream'
import stringWidth from 'string-width'
import type { RunEvent } from '../../agent/run-event.ts'
import type { Language } from '../../words/language.ts'
import { ProgressLines } from '../progress-lines.ts'
import type { TerminalStyle } from './terminal-style.ts'
import { terminalText } from './terminal-text.ts'

/** Chosen: of a question so much is shown on the narrowest terminal. */
const LEAST_WIDTH = 10

/** Shows a run's progress: lines rewritten in place on a terminal, and each new line once where output is not one. */
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
    /** Until the question is understood; English by default. */
    readonly language?: Language
  }) {
    this.#lines = new ProgressLines(options.language)
    this.#output = options.output
    this.#inPlace = options.inPlace
    this.#style = options.style
    this.#width = options.width
  }

  /** That the conversation is in, as far as is known. */
  get language(): Language {
    return this.#lines.language
  }

  observe(event: RunEvent): void {
    if (this.#lines.observe(event) && !this.#isPaused) this.#draw()
  }

  #draw(): void {
    const width = this.#width - 1
    // Of a long question the end goes, not what is being done about it.
    const shorten = (question: string, beside: string) =>
      cutToWidth(terminalText(question), Math.max(width - stringWidth(beside), LEAST_WIDTH))
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

  /** Makes room for a question to the person, until `resume`. */
  pause(): void {
    this.#isPaused = true
    this.clear()
  }

  resume(): void {
    this.#isPaused = false
    this.#draw()
  }

  /** Takes the progress away, to make room for the answer. */
  clear(): void {
    if (this.#shown > 0) this.#output.write(`\u001b[${this.#shown}A\u001b[0J`)
    this.#shown = 0
  }
}

/** As much of a line as fits: one that wraps could not be taken away again. */
function cutToWidth(line: string, width: number): string {
  if (stringWidth(line) <= width) return line
  let cut = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (stringWidth(cut + segment) > width - 1) break
    cut += segment
  }
  return `${cut}…`
}
