import { abortable } from '../../store/abortable.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { Speculation } from '../ahead/speculation.ts'
import type { DataQuestionContext } from '../run/context.ts'
import type { QueryReport, UnexplainedQuery } from '../run/result.ts'
import { withTaskGroup } from '../run/task-group.ts'
import { attemptOrPlan, type StartDataQuestion } from '../understand/attempt-or-plan.ts'
import { decompose, type Plan, planOf } from '../understand/decompose.ts'
import { answerAndReview } from './answer-and-review.ts'
import { RowsOfPlan } from './rows-of-plan.ts'
import { idOf, StartedQuestions } from './started-questions.ts'

/** A plan, and the report of each of its data questions in the same order. */
export interface AnsweredPlan {
  readonly plan: Plan
  readonly queries: readonly QueryReport[]
}

interface DataQuestionsOptions {
  readonly schema: Schema
  /** The person's question, rewritten to stand on its own. */
  readonly question: string
  /** The work that started while the message was being classified. Undefined if none did. */
  readonly ahead: Speculation | undefined
  /**
   * Receives the rows of all data questions in the plan's order, as soon as each data question has rows. Each call replaces the
   * rows of the call before, because later attempts may change them.
   */
  readonly onRows: (queries: readonly UnexplainedQuery[]) => void
}

/**
 * Plans the data questions, and begins to answer each one as soon as it is planned, so several may run at the same time. If a
 * data question disappears from the plan, its query is cancelled. If one must ask the person, the others finish first.
 * @throws InterruptError
 */
export async function answerDataQuestions(
  context: DataQuestionContext,
  { schema, question, ahead, onRows }: DataQuestionsOptions,
  signal: AbortSignal,
): Promise<AnsweredPlan> {
  return withTaskGroup(signal, async group => {
    const started = new StartedQuestions<string>(context, group)
    const rows = new RowsOfPlan(onRows)
    const start: StartDataQuestion = (index, { question: text, tables }, begun) =>
      started.begin(index, text, text, async own => {
        const hear = rows.listener(index)
        const asked = { schema, id: idOf(index), question, dataQuestion: text, tables, onRows: hear, ...(begun && { begun }) }
        const report = await answerAndReview(context, asked, own)
        hear(report)
        return report
      })
    const words = attemptOrPlan({ asked: context.request.question, understood: question }, ahead?.direct ?? null, start)
    const planning =
      ahead === undefined
        ? decompose(context, schema, question, words.onDataQuestion, group.signal)
        : abortable(ahead.follow(words.onDataQuestion), group.signal)
    const plan = words.settle(planOf(await planning, schema, question))
    plan.data_questions.forEach((dataQuestion, index) => {
      start(index, dataQuestion)
    })
    started.keep(plan.data_questions.length)
    rows.expect(plan.data_questions.length)
    return { plan, queries: await started.reports() }
  })
}
