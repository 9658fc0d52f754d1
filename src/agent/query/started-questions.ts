import { isDeepStrictEqual } from 'node:util'
import { NotNeededError } from '../../history/not-needed-error.ts'
import { confirmedTogether } from '../ask-back/confirm-cost.ts'
import { InterruptError } from '../ask-back/interrupt.ts'
import type { DataQuestionContext } from '../run/context.ts'
import type { QueryReport } from '../run/result.ts'
import type { CancellableTask, TaskGroup } from '../run/task-group.ts'

/** The report of a data question, or the question that must be put to the person first. */
export type QuestionOutcome = QueryReport | InterruptError

/** The data questions of a plan, by their places. They are asked while the plan is still being written, several at a time. */
export class StartedQuestions<Asked> {
  readonly #context: Pick<DataQuestionContext, 'observe' | 'language'>
  readonly #group: TaskGroup
  readonly #started = new Map<number, { readonly asked: Asked; readonly task: CancellableTask<QuestionOutcome> }>()

  constructor(context: Pick<DataQuestionContext, 'observe' | 'language'>, group: TaskGroup) {
    this.#context = context
    this.#group = group
  }

  /**
   * Begins to answer a data question, in place of the one that stood there. Does nothing if the same has begun.
   * @param question as surfaces show it
   */
  begin(index: number, asked: Asked, question: string, work: (signal: AbortSignal) => Promise<QueryReport>): void {
    if (isDeepStrictEqual(this.#started.get(index)?.asked, asked)) return
    this.#drop(index)
    this.#context.observe({ kind: 'data_question_planned', id: idOf(index), question })
    this.#started.set(index, { asked, task: this.#group.start(signal => orInterrupt(work(signal))) })
  }

  /** Drops the data questions that the final plan does not have. */
  keep(count: number): void {
    for (const index of [...this.#started.keys()].filter(each => each >= count)) {
      this.#drop(index)
      this.#context.observe({ kind: 'data_question_dropped', id: idOf(index) })
    }
  }

  /** Waits for a data question. Undefined if none has begun at this place. */
  async outcome(index: number): Promise<QuestionOutcome | undefined> {
    return this.#started.get(index)?.task.result
  }

  /**
   * Waits for all data questions, and returns their reports in order.
   * @throws InterruptError if some must ask the person
   */
  async reports(): Promise<readonly QueryReport[]> {
    const inOrder = [...this.#started].sort(([one], [other]) => one - other)
    const outcomes = await Promise.all(inOrder.map(([, { task }]) => task.result))
    const interrupts = outcomes.filter(outcome => outcome instanceof InterruptError)
    if (interrupts.length > 0) throw confirmedTogether(interrupts, this.#context.language)
    return outcomes.filter((outcome): outcome is QueryReport => !(outcome instanceof InterruptError))
  }

  #drop(index: number): void {
    this.#started.get(index)?.task.cancel(new NotNeededError('the plan was written anew'))
    this.#started.delete(index)
  }
}

export function idOf(index: number): string {
  return `Q${index + 1}`
}

/** Returns the question to the person as a value. Other errors pass. */
export function orInterrupt(answering: Promise<QueryReport>): Promise<QuestionOutcome> {
  return answering.catch((error: unknown) => {
    if (error instanceof InterruptError) return error
    throw error
  })
}
