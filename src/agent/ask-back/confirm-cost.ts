import { z } from 'zod'
import { type CostBudget, overBudget } from '../../warehouse/cost/budget.ts'
import { answerWords } from '../../words/answer.ts'
import type { Language } from '../../words/language.ts'
import { shortRemark } from '../notes/short-remark.ts'
import type { ExecutionOutcome } from '../query/execution-outcome.ts'
import type { PersonContext } from '../run/context.ts'
import { askPerson } from './ask-person.ts'
import { type Interrupt, InterruptError } from './interrupt.ts'

/** The person's decision: run the expensive query, have it narrowed, or stop. */
const costChoiceSchema = z.enum(['run', 'narrow', 'stop'])
export type CostChoice = z.infer<typeof costChoiceSchema>

function choicesIn(language: Language): Interrupt['choices'] {
  const { runIt, askLess, stop } = answerWords(language)
  return [
    { value: 'run', label: runIt },
    { value: 'narrow', label: askLess },
    { value: 'stop', label: stop },
  ] satisfies readonly { readonly value: CostChoice; readonly label: string }[]
}

/**
 * Asks the person what to do with a query over the budget. If nobody can be asked, the query is narrowed.
 * @throws InterruptError
 */
export async function confirmCost(
  context: PersonContext,
  options: {
    readonly id: string
    readonly dataQuestion: string
    readonly attempt: number
    readonly costly: Extract<ExecutionOutcome, { kind: 'costly' }>
    readonly budget: CostBudget
    readonly language: Language
  },
  signal: AbortSignal,
): Promise<CostChoice> {
  if (context.askPerson === undefined) return 'narrow'
  const { id, dataQuestion, attempt, costly, budget, language } = options
  const excess = overBudget(costly.estimate, budget, language) ?? costly.excess
  const key = { step: 'confirm', query: id, attempt }
  const question = `${id} (${shortRemark(dataQuestion).replace(/\.$/, '')}) ${excess}.`
  const interrupt = { kind: 'need_confirm', question, choices: choicesIn(language) } as const
  return costChoiceSchema.parse(await askPerson(context, key, { excess: costly.excess }, interrupt, signal))
}

/** Combines the questions about several expensive queries into one question. The person's answer applies to all of them. */
export function confirmedTogether(interrupts: readonly InterruptError[], language: Language): InterruptError {
  const question = interrupts.map(({ interrupt }) => interrupt.question).join('\n\n')
  const steps = interrupts.flatMap(each => each.steps)
  return new InterruptError({ kind: 'need_confirm', question, choices: choicesIn(language) }, steps)
}
