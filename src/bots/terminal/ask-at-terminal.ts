import { once } from 'node:events'
import type { Interface } from 'node:readline/promises'
import { type AskPerson, type Interrupt, interruptMarkdown } from '../../agent/ask-back/interrupt.ts'
import { matchChoice } from '../../agent/ask-back/match-choice.ts'
import { type ChatWords, chatWords } from '../../words/chat.ts'
import { terminalMarkdown } from './markdown.ts'
import type { TerminalProgress } from './progress.ts'
import type { View } from './style.ts'

/** All messages at the terminal have this author. */
export const TERMINAL_AUTHOR = 'terminal'

export interface TerminalPrompt {
  readonly lines: Interface
  readonly output: NodeJS.WritableStream
  readonly view: View
  close(): void
}

/**
 * Returns a function that asks the person at the terminal, one question at a time. The run waits for the answer, and its progress
 * pauses. If the input ends, a confirmation is answered with no, and any other question stays unanswered. For a question that
 * takes words of the person's own, the run does not wait.
 * @param open opens the prompt for each question
 */
export function askAtTerminal(
  open: () => TerminalPrompt,
  progress: Pick<TerminalProgress, 'pause' | 'resume' | 'language'>,
): AskPerson {
  let before: Promise<unknown> = Promise.resolve()
  return (interrupt, signal) => {
    if (interrupt.takes_words === true) return Promise.resolve(undefined)
    const asked = before.then(() => {
      progress.pause()
      const prompt = open()
      prompt.output.write(`${terminalMarkdown(interruptMarkdown(interrupt), prompt.view)}\n`)
      return askUntilUnderstood(prompt, interrupt, chatWords(progress.language), signal).finally(() => {
        prompt.close()
        // If the run has ended, its progress must not appear again.
        if (!signal.aborted) progress.resume()
      })
    })
    before = asked.catch(() => {})
    return asked
  }
}

/** Reads a line that a person types. Undefined at the end of the input. */
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
