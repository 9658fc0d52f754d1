import { NotNeededError } from '../../history/not-needed-error.ts'
import { abortable } from '../../store/abortable.ts'
import type { Schema } from '../../warehouse/schema.ts'
import type { Speculation } from '../ahead/speculation.ts'
import { confirmedTogether } from '../ask-back/confirm-cost.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import type { DataQuestionContext } from '../run/context.ts'
import type { QueryReport, UnexplainedQuery } from '../run/result.ts'
import { type CancellableTask, withTaskGroup } from '../run/task-group.ts'
import { attemptOrPlan, type StartDataQuestion } from '../understand/attempt-or-plan.ts'
import { decompose, type Plan, planOf } from '../understand/decompose.ts'
import { answerAndReview } from './answer-and-review.ts'
import { RowsOfPlan } from './rows-of-plan.ts'

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

interface StartedDataQuestion {
  readonly text: string
  readonly task: CancellableTask<QueryReport | InterruptError>
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
    const started = new Map<number, StartedDataQuestion>()
    const rows = new RowsOfPlan(onRows)
    const start: StartDataQuestion = (index, { question: text, tables }, begun) => {
      const earlier = started.get(index)
      if (earlier?.text === text) return
      earlier?.task.cancel(new NotNeededError('the plan was written anew'))
      const id = `Q${index + 1}`
      context.observe({ kind: 'data_question_planned', id, question: text })
      const hear = rows.listener(index)
      const options = { schema, id, question, dataQuestion: text, tables, onRows: hear, ...(begun && { begun }) }
      const task = group.start(async own => {
        const outcome = await orInterrupt(answerAndReview(context, options, own))
        if (!(outcome instanceof InterruptError)) hear(outcome)
        return outcome
      })
      started.set(index, { text, task })
    }
    const words = attemptOrPlan({ asked: context.request.question, understood: question }, ahead?.direct ?? null, start)
    const planning =
      ahead === undefined
        ? decompose(context, schema, question, words.onDataQuestion, group.signal)
        : abortable(ahead.follow(words.onDataQuestion), group.signal)
    const plan = words.settle(planOf(await planning, schema, question))
    plan.data_questions.forEach((dataQuestion, index) => {
      start(index, dataQuestion)
    })
    const kept = [...started].filter(([index]) => index < plan.data_questions.length).sort(([a], [b]) => a - b)
    for (const [index, { task }] of started) {
      if (index < plan.data_questions.length) continue
      task.cancel(new NotNeededError('the plan was written anew'))
      context.observe({ kind: 'data_question_dropped', id: `Q${index + 1}` })
    }
    rows.expect(kept.length)
    const outcomes = await Promise.all(kept.map(([, { task }]) => task.result))
    const interrupts = outcomes.filter(outcome => outcome instanceof InterruptError)
    if (interrupts.length > 0) throw confirmedTogether(interrupts, context.language)
    return { plan, queries: outcomes.filter((outcome): outcome is QueryReport => !(outcome instanceof InterruptError)) }
  })
}

async function orInterrupt(answering: Promise<QueryReport>): Promise<QueryReport | InterruptError> {
  try {
    return await answering
  } catch (error) {
    if (error instanceof InterruptError) return error
    throw error
  }
}
