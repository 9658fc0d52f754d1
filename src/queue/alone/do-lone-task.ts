import { type SettleMessageDeps, settleMessage } from '../drain/settle-message.ts'
import { drainEnd } from '../drain/thread-drain.ts'
import type { AnswerPress } from '../presses/worker.ts'
import type { DoTask } from './serve-lone-process.ts'

/** Returns a function for a lone process. The function does one task while no other task is under way. */
export function createDoLoneTask(deps: {
  readonly message: SettleMessageDeps
  readonly answerPress: AnswerPress
  /** Does a queue's job by id. @throws if the job fails */
  readonly doJob: (queue: string, id: string, signal: AbortSignal) => Promise<unknown>
}): DoTask {
  return async (task, signal) => {
    if (task.kind === 'job') return deps.doJob(task.queue, task.id, signal)
    if (task.kind === 'press') return deps.answerPress(task.press, task.isLastAttempt, signal)
    const { head, token } = task
    return settleMessage(head, token, deps.message, signal).then(isMore => ({ kind: 'settled', isMore }), drainEnd)
  }
}
