import { z } from 'zod'
import { ClewError } from '../../base/errors.ts'

const choiceSchema = z.object({
  /** The run continues with this. */
  value: z.string(),
  /** Plain text for the person. */
  label: z.string(),
})

/**
 * A run's question to the person: which meaning, which data source, or whether to do something expensive. In the last case the
 * first choice agrees and the last one declines. It is JSON, so that a surface may show buttons and deliver the answer later.
 */
export const interruptSchema = z.object({
  kind: z.enum(['need_clarification', 'need_datasource', 'need_confirm']),
  /** Markdown of one sentence. */
  question: z.string(),
  choices: z.array(choiceSchema).readonly(),
})
export type Interrupt = z.infer<typeof interruptSchema>

/** A step of a run that waits for the answer. */
export const waitingStepSchema = z.object({ step: z.string(), query: z.string().exactOptional(), attempt: z.number() })
export type WaitingStep = z.infer<typeof waitingStepSchema>

/** The answer for these steps only, so that a later question of the run cannot take it. */
export interface GivenChoice {
  readonly value: string
  readonly steps: readonly WaitingStep[]
}

/**
 * Asks the person while the run waits, and returns the chosen value. Undefined if they will answer later: the run then ends with
 * its question. Several data questions may ask at once.
 * @param signal aborts when the run ends
 */
export type AskPerson = (interrupt: Interrupt, signal: AbortSignal) => Promise<string | undefined>

/** A run needs an answer to continue. Expected: its finished steps are in the run's log. */
export class InterruptError extends ClewError {
  readonly interrupt: Interrupt
  readonly steps: readonly WaitingStep[]

  constructor(interrupt: Interrupt, steps: readonly WaitingStep[]) {
    super('The person is asked, and the run goes on with their answer.', { code: 'interrupted' })
    this.interrupt = interrupt
    this.steps = steps
  }
}

/** The question with numbered choices, which can be answered without buttons. */
export function interruptMarkdown({ question, choices }: Pick<Interrupt, 'question' | 'choices'>): string {
  const numbered = choices.map(({ label }, index) => `${index + 1}. ${label}`)
  return [question, ...(numbered.length === 0 ? [] : [numbered.join('\n')])].join('\n\n')
}
