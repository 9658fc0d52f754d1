import type { Schema } from '../clickhouse/schema.ts'
import { NotNeededError } from '../history/not-needed-error.ts'
import { ModelError } from '../llm/model-error.ts'
import { answerAndReview } from './answer-and-review.ts'
import { confirmedTogether } from './confirm-cost.ts'
import { decompose, type Plan, planOf } from './decompose.ts'
import type { ExecutedDraft } from './draft-and-execute.ts'
import { inOwnWords, type StartDataQuestion } from './in-own-words.ts'
import { InterruptError } from './interrupt.ts'
import type { RunContext } from './run-context.ts'
import type { QueryReport } from './run-result.ts'
import type { Speculation } from './speculation.ts'
import { type Task, withTaskGroup } from './task-group.ts'
import { untilAborted } from './until-aborted.ts'

/** A plan with the reports of its data questions, in the plan's order. */
export interface AnsweredPlan {
  readonly plan: Plan
  readonly queries: readonly QueryReport[]
}

/**
 * Plans the data questions and answers them side by side, each from the moment it is known. One that the finished plan no longer
 * holds (the model began anew) is cancelled, its query too. Where one has to ask the person, the others are finished first: nothing of them is done twice.
 * @param question as it stands alone
 * @param ahead what has been begun of it while the message was read
 * @throws InterruptError
 */
export async function answerDataQuestions(
  context: RunContext,
  schema: Schema,
  question: string,
  ahead: Speculation | undefined,
  signal: AbortSignal,
): Promise<AnsweredPlan> {
  return withTaskGroup(signal, async group => {
    const started = new Map<number, { readonly text: string; readonly task: Task<QueryReport | InterruptError> }>()
    const start: StartDataQuestion = (index, { question: text }, draft) => {
      const earlier = started.get(index)
      if (earlier?.text === text) return
      earlier?.task.cancel(new NotNeededError('the plan was written anew'))
      const id = `Q${index + 1}`
      const answer = (dataQuestion: string, own: AbortSignal, begun?: Promise<ExecutedDraft>) =>
        orInterrupt(answerAndReview(context, { schema, id, question, dataQuestion, ...(begun && { begun }) }, own))
      context.observe({ kind: 'data_question_planned', id, question: text })
      const begun = draft?.begin()
      const task = group.start(async own => {
        if (draft === undefined || begun === undefined || !(await isLostToModel(begun, own))) return answer(text, own, begun)
        context.observe({ kind: 'data_question_planned', id, question: draft.planned })
        return answer(draft.planned, own)
      })
      started.set(index, { text, task })
    }
    const words = inOwnWords({ asked: context.request.question, understood: question }, ahead?.direct ?? null, start)
    const planning =
      ahead === undefined
        ? decompose(context, schema, question, words.onDataQuestion, group.signal)
        : untilAborted(ahead.follow(words.onDataQuestion), group.signal)
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
    const outcomes = await Promise.all(kept.map(([, { task }]) => task.result))
    const interrupts = outcomes.filter(outcome => outcome instanceof InterruptError)
    if (interrupts.length > 0) throw confirmedTogether(interrupts)
    return { plan, queries: outcomes.filter((outcome): outcome is QueryReport => !(outcome instanceof InterruptError)) }
  })
}

/** Whether the model failed in what was begun ahead of time: then it is as if it had not been begun. */
async function isLostToModel(begun: Promise<ExecutedDraft>, signal: AbortSignal): Promise<boolean> {
  try {
    await begun
    return false
  } catch (error) {
    return !signal.aborted && error instanceof ModelError
  }
}

async function orInterrupt(answering: Promise<QueryReport>): Promise<QueryReport | InterruptError> {
  try {
    return await answering
  } catch (error) {
    if (error instanceof InterruptError) return error
    throw error
  }
}
