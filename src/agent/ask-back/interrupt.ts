import { z } from 'zod'
import { ClewError } from '../../base/errors.ts'

const choiceSchema = z.object({
  /** The run gets this value if the person takes this choice. */
  value: z.string(),
  /** The words for the person, in plain text. */
  label: z.string(),
})

/**
 * A run's question to the person: which meaning, which data source, or whether to do something expensive. In the last case, the
 * first choice means yes, and the last choice means no. Surfaces may show the choices as buttons. The question is JSON, so it can
 * be stored until the person answers, perhaps much later.
 */
export const interruptSchema = z.object({
  kind: z.enum(['need_clarification', 'need_datasource', 'need_confirm']),
  /** Markdown of one sentence. */
  question: z.string(),
  choices: z.array(choiceSchema).readonly(),
  /**
   * True if words of the person's own are as good an answer as a choice. A terminal then does not wait for a choice: what the
   * person types next is their next message.
   */
  takes_words: z.boolean().exactOptional(),
})
export type Interrupt = z.infer<typeof interruptSchema>

/** A step of a run that waits for the person's answer. */
export const waitingStepSchema = z.object({ step: z.string(), query: z.string().exactOptional(), attempt: z.number() })
export type WaitingStep = z.infer<typeof waitingStepSchema>

/** The person's answer, and the steps that asked for it. If the run asks again later, this answer is not used. */
export interface GivenChoice {
  readonly value: string
  readonly steps: readonly WaitingStep[]
}

/**
 * Asks the person while the run waits, and returns the chosen value. Undefined if the person will answer later: the run then ends
 * with its question. Several data questions may ask at the same time.
 * @param signal aborts when the run ends
 */
export type AskPerson = (interrupt: Interrupt, signal: AbortSignal) => Promise<string | undefined>

/** Ends a run that needs the person's answer. This is not a failure: when the answer comes, the run continues from its log. */
export class InterruptError extends ClewError {
  readonly interrupt: Interrupt
  readonly steps: readonly WaitingStep[]

  constructor(interrupt: Interrupt, steps: readonly WaitingStep[]) {
    super('The person is asked, and the run goes on with their answer.', { code: 'interrupted' })
    this.interrupt = interrupt
    this.steps = steps
  }
}

/** Writes a question with numbered choices, so that the person can answer without buttons. */
export function interruptMarkdown({ question, choices }: Pick<Interrupt, 'question' | 'choices'>): string {
  const numbered = choices.map(({ label }, index) => `${index + 1}. ${label}`)
  return [question, ...(numbered.length === 0 ? [] : [numbered.join('\n')])].join('\n\n')
}
