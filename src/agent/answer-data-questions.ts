import type { Schema } from '../clickhouse/schema.ts'
import { answerAndReview } from './answer-and-review.ts'
import { type DataQuestion, decompose, type Plan } from './decompose.ts'
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
 * holds (the model began anew) is cancelled, its query too.
 */
export async function answerDataQuestions(
  context: RunContext,
  schema: Schema,
  question: string,
  signal: AbortSignal,
): Promise<AnsweredPlan> {
  return withTaskGroup(signal, async group => {
    const started = new Map<number, { readonly text: string; readonly task: Task<QueryReport> }>()
    const start = (index: number, { question: text }: DataQuestion) => {
      const earlier = started.get(index)
      if (earlier?.text === text) return
      earlier?.task.cancel()
      const id = `Q${index + 1}`
      context.observe({ kind: 'data_question_planned', id, question: text })
      const task = group.start(own => answerAndReview(context, { schema, id, question, dataQuestion: text }, own))
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
    return { plan, queries: await Promise.all(kept.map(([, { task }]) => task.result)) }
  })
}
