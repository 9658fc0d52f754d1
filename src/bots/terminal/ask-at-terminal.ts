import { once } from 'node:events'
import type { Interface } from 'node:readline/promises'
import { type AskPerson, type Interrupt, interruptMarkdown } from '../../agent/interrupt.ts'
import { matchChoice } from '../../agent/match-choice.ts'
import { type ChatWords, chatWords } from '../../words/chat-words.ts'
import { terminalMarkdown } from './terminal-markdown.ts'
import type { TerminalProgress } from './terminal-progress.ts'
import type { View } from './terminal-style.ts'

/** Whoever sits there: a thread at the terminal is one person's. */
export const TERMINAL_AUTHOR = 'terminal'

export interface TerminalPrompt {
  readonly lines: Interface
  readonly output: NodeJS.WritableStream
  readonly view: View
  close(): void
}

/**
 * Asks at a terminal while the run waits; several questions that come at a time are asked one after another. Progress is held back meanwhile. The end
 * of the input means no where something is to be confirmed, and no answer otherwise.
 * @param open what to ask by; called for each question
 */
export function askAtTerminal(
  open: () => TerminalPrompt,
  progress: Pick<TerminalProgress, 'pause' | 'resume' | 'language'>,
): AskPerson {
  let before: Promise<unknown> = Promise.resolve()
  return (interrupt, signal) => {
    const asked = before.then(() => {
      progress.pause()
      const prompt = open()
      prompt.output.write(`${terminalMarkdown(interruptMarkdown(interrupt), prompt.view)}\n`)
      return askUntilUnderstood(prompt, interrupt, chatWords(progress.language), signal).finally(() => {
        prompt.close()
        // A run that has ended has taken its progress away.
        if (!signal.aborted) progress.resume()
      })
    })
    before = asked.catch(() => {})
    return asked
  }
}

/** One line that a person types; undefined at the end of the input. */
export async function readLine(
  { lines }: Pick<TerminalPrompt, 'lines'>,
  prompt: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const closed = once(lines, 'close', { signal: either }).then(
    () => undefined,
    () => undefined,
  )
  try {
    signal.throwIfAborted()
    const line = await Promise.race([lines.question(prompt, { signal: either }), closed])
    if (line === undefined) signal.throwIfAborted()
    return line
  } finally {
    ended.abort()
  }
}

async function askUntilUnderstood(
  prompt: TerminalPrompt,
  interrupt: Interrupt,
  { yourChoice, typeChoice }: ChatWords,
  signal: AbortSignal,
): Promise<string | undefined> {
  const numbers = `1-${interrupt.choices.length}`
  for (let words = yourChoice(numbers); ; words = typeChoice(numbers)) {
    const line = await readLine(prompt, words, signal)
    if (line === undefined) return interrupt.kind === 'need_confirm' ? interrupt.choices.at(-1)?.value : undefined
    const choice = interrupt.choices[matchChoice(line, interrupt) ?? -1]
    if (choice !== undefined) return choice.value
  }
}
