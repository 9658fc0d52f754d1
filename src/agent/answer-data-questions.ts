import type { Schema } from '../clickhouse/schema.ts'
import { answerAndReview } from './answer-and-review.ts'
import { confirmedTogether } from './confirm-cost.ts'
import { type DataQuestion, decompose, type Plan } from './decompose.ts'
import { InterruptError } from './interrupt.ts'
import type { RunContext } from './run-context.ts'
import type { QueryReport } from './run-result.ts'
import { type Task, withTaskGroup } from './task-group.ts'

/** A plan with the reports of its data questions, in the plan's order. */
export interface AnsweredPlan {
  readonly plan: Plan
  readonly queries: readonly QueryReport[]
}

/**
 * Plans the data questions and answers them side by side, each from the moment it is known. One that the finished plan no longer
 * holds (the model began anew) is cancelled, its query too. Where one has to ask the person, the others are finished first: nothing of them is done twice.
 * @throws InterruptError
 */
export async function answerDataQuestions(
  context: RunContext,
  schema: Schema,
  question: string,
  signal: AbortSignal,
): Promise<AnsweredPlan> {
  return withTaskGroup(signal, async group => {
    const started = new Map<number, { readonly text: string; readonly task: Task<QueryReport | InterruptError> }>()
    const start = (index: number, { question: text }: DataQuestion) => {
      const earlier = started.get(index)
      if (earlier?.text === text) return
      earlier?.task.cancel()
      const id = `Q${index + 1}`
      context.observe({ kind: 'data_question_planned', id, question: text })
      const task = group.start(own => orInterrupt(answerAndReview(context, { schema, id, question, dataQuestion: text }, own)))
      started.set(index, { text, task })
    }
    const plan = await decompose(context, schema, question, start, group.signal)
    plan.data_questions.forEach((dataQuestion, index) => {
      start(index, dataQuestion)
    })
    const kept = [...started].filter(([index]) => index < plan.data_questions.length).sort(([a], [b]) => a - b)
    for (const [index, { task }] of started) {
      if (index < plan.data_questions.length) continue
      task.cancel()
      context.observe({ kind: 'data_question_dropped', id: `Q${index + 1}` })
    }
    const outcomes = await Promise.all(kept.map(([, { task }]) => task.result))
    const interrupts = outcomes.filter(outcome => outcome instanceof InterruptError)
    if (interrupts.length > 0) throw confirmedTogether(interrupts)
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
