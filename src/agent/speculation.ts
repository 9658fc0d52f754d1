import type { Schema } from '../clickhouse/schema.ts'
import { type Ahead, beginAhead } from './ahead.ts'
import { type DataQuestion, decompose, type OnDataQuestion, type PlanDraft, planningOf } from './decompose.ts'
import { draftAndExecute, type ExecutedDraft, type OnOutcome } from './draft-and-execute.ts'
import { draftingOf } from './generate.ts'
import type { RunContext } from './run-context.ts'
import { isSimpleQuestion } from './simple-question.ts'
import type { TaskGroup } from './task-group.ts'

/** What is asked of the model while classify still reads the message: a plan, and where the question looks simple, its SQL. */
export interface Speculation {
  /** The message is a data question: its plan is needed, and heard from its beginning. @throws ModelError */
  follow(onDataQuestion: OnDataQuestion): Promise<PlanDraft>
  /** null where the question does not look simple. */
  readonly direct: DirectAttempt | null
  drop(cause: string): void
}

/** SQL for the message as it was written, as if that were the only data question. Nothing is run before it is accepted. */
export interface DirectAttempt {
  /** It is the answer to Q1. @throws ModelError */
  accept(onOutcome: OnOutcome): Promise<ExecutedDraft>
  drop(cause: string): void
}

/** Begins, as tasks of the group, what will be needed if the message is a data question. */
export function speculate(group: TaskGroup, context: RunContext, schema: Schema): Speculation {
  const known = new Map<number, DataQuestion>()
  let listener: OnDataQuestion = (index, dataQuestion) => known.set(index, dataQuestion)
  const planning = beginAhead(group, context, (own, signal) =>
    decompose(own, schema, context.request.question, (index, dataQuestion) => listener(index, dataQuestion), signal),
  )
  const direct = isSimpleQuestion(context.request) ? beginDirectly(group, context, schema) : null
  return {
    direct,
    follow: async onDataQuestion => {
      await planning.keep()
      for (const [index, dataQuestion] of known) onDataQuestion(index, dataQuestion)
      listener = onDataQuestion
      return planning.result
    },
    drop: cause => {
      planning.drop(cause)
      direct?.drop(cause)
    },
  }
}

function beginDirectly(group: TaskGroup, context: RunContext, schema: Schema): DirectAttempt {
  const { question } = context.request
  let listener: OnOutcome = () => {}
  const onOutcome: OnOutcome = outcome => listener(outcome)
  const options = { schema, id: 'Q1', question, dataQuestion: question, failed: [], narrowing: null, onOutcome }
  let open = () => {}
  const mayRun = new Promise<void>(resolve => {
    open = resolve
  })
  const begin = () => beginAhead(group, context, (own, signal) => draftAndExecute(own, { ...options, mayRun }, signal))
  const { key, input } = draftingOf(options)
  const plan = planningOf(question)
  // In a resumed run that has its plan, an attempt that had not ended is only made again if the plan wants it.
  const isDecided = context.log.isFinished(plan.key, plan.input) && !context.log.isFinished(key, input)
  let attempt: Ahead<ExecutedDraft> | undefined = isDecided ? undefined : begin()
  return {
    accept: async whenKnown => {
      attempt ??= begin()
      listener = whenKnown
      await attempt.keep()
      open()
      return attempt.result
    },
    drop: cause => attempt?.drop(cause),
  }
}
