import { z } from 'zod'
import { askPerson } from './ask-person.ts'
import { InterruptError } from './interrupt.ts'
import type { RunContext } from './run-context.ts'
import { shortRemark } from './short-remark.ts'

/** What may be done with a query over the budget: run it all the same, ask for less, or leave it. */
const costChoiceSchema = z.enum(['run', 'narrow', 'stop'])
export type CostChoice = z.infer<typeof costChoiceSchema>

const CHOICES = [
  { value: 'run', label: 'Run it' },
  { value: 'narrow', label: 'Ask for less' },
  { value: 'stop', label: 'Stop' },
] as const satisfies readonly { readonly value: CostChoice; readonly label: string }[]

/** What to do with a query over the budget: what the person says; where nobody can be asked, it is narrowed. @throws InterruptError */
export async function confirmCost(
  context: RunContext,
  options: {
    readonly id: string
    readonly dataQuestion: string
    readonly attempt: number
    /** "would read …; allowed are …" */
    readonly excess: string
  },
  signal: AbortSignal,
): Promise<CostChoice> {
  if (context.askPerson === undefined) return 'narrow'
  const { id, dataQuestion, attempt, excess } = options
  const key = { step: 'confirm', query: id, attempt }
  const question = `${id} (${shortRemark(dataQuestion).replace(/\.$/, '')}) ${excess}.`
  const interrupt = { kind: 'need_confirm', question, choices: CHOICES } as const
  return costChoiceSchema.parse(await askPerson(context, key, { excess }, interrupt, signal))
}

/** One question for all queries that are over the budget: who is asked later answers once. */
export function confirmedTogether(interrupts: readonly InterruptError[]): InterruptError {
  const question = interrupts.map(({ interrupt }) => interrupt.question).join('\n\n')
  const steps = interrupts.flatMap(each => each.steps)
  return new InterruptError({ kind: 'need_confirm', question, choices: CHOICES }, steps)
}
