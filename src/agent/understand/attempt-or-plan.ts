import type { DirectAttempt } from '../ahead/speculation.ts'
import type { DataQuestionOptions } from '../query/answer-data-question.ts'
import { asksForMore } from './asks-for-more.ts'
import type { DataQuestion, OnDataQuestion, Plan } from './decompose.ts'

export type StartDataQuestion = (index: number, dataQuestion: DataQuestion, begun?: DataQuestionOptions['begun']) => void

/**
 * Decides between the plan and a direct attempt, for which SQL is already being written. The attempt is used if the plan has one
 * data question, which asks for no more than the person's question. Otherwise it is dropped. The first data question waits for
 * the decision.
 * @param start starts to answer a data question
 */
export function attemptOrPlan(
  { asked, understood }: { readonly asked: string; readonly understood: string },
  attempt: DirectAttempt | null,
  start: StartDataQuestion,
): { readonly onDataQuestion: OnDataQuestion; settle(plan: Plan): Plan } {
  let direct = attempt
  let first: DataQuestion | undefined
  const drop = (cause: string) => {
    direct?.drop(cause)
    direct = null
    if (first !== undefined) start(0, first)
    first = undefined
  }
  if (asksForMore(understood, asked)) drop('the question is understood as another one')
  return {
    onDataQuestion: (index, dataQuestion) => {
      if (direct !== null && index > 0) drop('the plan has several data questions')
      if (direct !== null && asksForMore(dataQuestion.question, asked)) drop('the plan asks for more than the question')
      if (direct === null) start(index, dataQuestion)
      else first = dataQuestion
    },
    settle: plan => {
      const [only, ...others] = plan.data_questions
      first = undefined
      if (only === undefined || others.length > 0) drop('the plan is not one data question')
      else if (asksForMore(only.question, asked)) drop('the plan asks for more than the question')
      if (direct === null || only === undefined) return plan
      const own = { ...only, question: asked.trim() }
      start(0, own, direct.accept)
      return { ...plan, data_questions: [own] }
    },
  }
}
