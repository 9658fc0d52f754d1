import type { Schema } from '../../warehouse/schema.ts'
import { type DraftContext, draftAndExecute, type ExecutedDraft, type OnOutcome } from '../query/draft-and-execute.ts'
import { draftingOf } from '../query/generate.ts'
import type { TaskGroup } from '../run/task-group.ts'
import { type DataQuestion, decompose, type OnDataQuestion, type PlanDraft, planningOf } from '../understand/decompose.ts'
import { isSimpleQuestion } from '../understand/simple-question.ts'
import { type Ahead, beginAhead } from './ahead.ts'

/**
 * Model calls that start while the message is still being classified: one writes a plan. If the question looks simple, another
 * one already writes SQL.
 */
export interface Speculation {
  /**
   * Uses the plan. Call this if the message is a data question. The listener receives all data questions of the plan, also those
   * that were planned before this call.
   * @throws ModelError
   */
  follow(onDataQuestion: OnDataQuestion): Promise<PlanDraft>
  /** The attempt to answer directly. Null if the question does not look simple. */
  readonly direct: DirectAttempt | null
  drop(cause: string): void
}

/** SQL for the message as the person wrote it, without a plan. The SQL runs only after `accept`. */
export interface DirectAttempt {
  /**
   * Uses this attempt as the answer to Q1.
   * @throws ModelError
   */
  accept(onOutcome: OnOutcome): Promise<ExecutedDraft>
  drop(cause: string): void
}

/** Starts the model calls for a possible data question, as tasks of the group. */
export function speculate(group: TaskGroup, context: DraftContext, schema: Schema): Speculation {
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

function beginDirectly(group: TaskGroup, context: DraftContext, schema: Schema): DirectAttempt {
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
  // A resumed run may already have its plan. Then a draft that is not finished starts only when `accept` is called.
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
