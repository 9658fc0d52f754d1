import { type SettleMessageDeps, settleMessage } from '../drain/settle-message.ts'
import { drainEnd } from '../drain/thread-drain.ts'
import type { AnswerPress } from '../presses/worker.ts'
import type { DoTask } from './serve-lone-process.ts'

/**
 * Returns the function with which a lone process does its task. A lone process does one task at a time, so the function must not
 * be called during another task.
 */
export function createDoLoneTask(deps: {
  readonly message: SettleMessageDeps
  readonly answerPress: AnswerPress
  /**
   * Does the job with this id in a queue.
   * @throws the job's error
   */
  readonly doJob: (queue: string, id: string, signal: AbortSignal) => Promise<unknown>
}): DoTask {
  return async (task, signal) => {
    if (task.kind === 'job') return deps.doJob(task.queue, task.id, signal)
    if (task.kind === 'press') return deps.answerPress(task.press, task.isLastAttempt, signal)
    const { head, token } = task
    return settleMessage(head, token, deps.message, signal).then(isMore => ({ kind: 'settled', isMore }), drainEnd)
  }
}
