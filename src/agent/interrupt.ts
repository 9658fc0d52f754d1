import { z } from 'zod'
import { ClewError } from '../errors.ts'

const choiceSchema = z.object({
  /** What the run goes on with. */
  value: z.string(),
  /** What the person reads; plain text. */
  label: z.string(),
})

/**
 * What a run stops to ask: which of several things is meant, in which data source to look, or whether something expensive may be done; then the first
 * choice agrees, and the last declines. JSON, so that a surface may show it as buttons and answer later.
 */
export const interruptSchema = z.object({
  kind: z.enum(['need_clarification', 'need_datasource', 'need_confirm']),
  /** One sentence for the person; Markdown. */
  question: z.string(),
  choices: z.array(choiceSchema).readonly(),
})
export type Interrupt = z.infer<typeof interruptSchema>

/** A step of a run that waits for the answer. */
export const waitingStepSchema = z.object({ step: z.string(), query: z.string().exactOptional(), attempt: z.number() })
export type WaitingStep = z.infer<typeof waitingStepSchema>

/** The answer to what a run stopped to ask: for those steps and no others, so that it cannot be taken for the answer to a later question of the same run. */
export interface GivenChoice {
  readonly value: string
  readonly steps: readonly WaitingStep[]
}

/**
 * Asks the person while the run waits, and returns the value of what they chose; undefined where they will say it later: the run then ends with its
 * question, to be resumed with the answer. May be called for several data questions at a time.
 * @param signal aborted when the run ends: nobody is waited for longer
 */
export type AskPerson = (interrupt: Interrupt, signal: AbortSignal) => Promise<string | undefined>

/** A run cannot go on without an answer. Expected: what has been finished is in the run's log. */
export class InterruptError extends ClewError {
  readonly interrupt: Interrupt
  readonly steps: readonly WaitingStep[]

  constructor(interrupt: Interrupt, steps: readonly WaitingStep[]) {
    super('The person is asked, and the run goes on with their answer.', { code: 'interrupted' })
    this.interrupt = interrupt
    this.steps = steps
  }
}

/** The question with its choices numbered, for people: so it can be answered where there are no buttons, too. */
export function interruptMarkdown({ question, choices }: Pick<Interrupt, 'question' | 'choices'>): string {
  const numbered = choices.map(({ label }, index) => `${index + 1}. ${label}`)
  return [question, ...(numbered.length === 0 ? [] : [numbered.join('\n')])].join('\n\n')
}
