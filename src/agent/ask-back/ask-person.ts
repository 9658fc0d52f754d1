import { z } from 'zod'
import { abortable } from '../../store/abortable.ts'
import type { PersonContext } from '../run/context.ts'
import { type Interrupt, InterruptError, type WaitingStep } from './interrupt.ts'

/**
 * Asks the person a question. A resumed run does not ask it again.
 * @param input everything that the question depends on; a resumed run with another input asks again
 * @returns the value of the chosen choice
 * @throws InterruptError if the person will answer later
 */
export async function askPerson(
  context: PersonContext,
  key: WaitingStep,
  input: Readonly<Record<string, unknown>>,
  interrupt: Interrupt,
  signal: AbortSignal,
): Promise<string> {
  const { log, observe, given } = context
  const isOffered = (value: string | undefined) => interrupt.choices.some(choice => choice.value === value)
  return log.step(key, input, z.string().refine(isOffered), signal, async () => {
    observe({ kind: 'step_started', ...key })
    const isAnswered = given?.steps.some(step => isSame(step, key)) === true
    const value = isAnswered ? given.value : await answerOf(context, interrupt, signal)
    if (value === undefined || !isOffered(value)) throw new InterruptError(interrupt, [key])
    return value
  })
}

function isSame(one: WaitingStep, other: WaitingStep): boolean {
  return one.step === other.step && one.query === other.query && one.attempt === other.attempt
}

/** Waits for the person's answer. If the run ends, the wait ends too, even if the surface ignores the signal. */
async function answerOf(
  { askPerson: ask }: PersonContext,
  interrupt: Interrupt,
  signal: AbortSignal,
): Promise<string | undefined> {
  return ask && abortable(ask(interrupt, signal), signal)
}
