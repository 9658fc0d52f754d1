import { errorMessage } from '../../base/errors.ts'
import type { Logger } from '../../base/logger.ts'
import { LONE_LIMITS } from '../limits.ts'
import { type LoneProcess, type LoneProcessOptions, startLoneProcess, type TaskOutcome } from './process.ts'
import type { LoneTask } from './tasks.ts'

/** `wait`: the task could not start, which is not its fault. The caller tries again after `waitMs`. */
export type LoneOutcome = TaskOutcome | { readonly kind: 'wait'; readonly waitMs: number }

/**
 * Runs tasks that may have killed their worker. Each task runs alone in a process, so if the process dies, the task is certainly
 * the cause.
 */
export interface LoneProcesses {
  /**
   * Runs a task.
   * @param signal if it aborts, the process gives the task back unfinished
   * @throws the abort reason of the signal
   */
  run(task: LoneTask, signal: AbortSignal): Promise<LoneOutcome>
  close(): void
}

export function createLoneProcesses(options: LoneProcessOptions & { readonly logger: Logger }): LoneProcesses {
  const { logger } = options
  const all = new Set<LoneProcess>()
  let atWork = 0

  async function startOne(signal: AbortSignal): Promise<LoneProcess | undefined> {
    try {
      return await startLoneProcess(options, signal)
    } catch (error) {
      signal.throwIfAborted()
      logger.error({ error: errorMessage(error) }, 'lone process did not start')
      return undefined
    }
  }

  /** Runs a task in a new process. A used process might die because of an earlier task. */
  async function runAlone(task: LoneTask, signal: AbortSignal): Promise<LoneOutcome> {
    const one = await startOne(signal)
    if (one === undefined) return { kind: 'wait', waitMs: LONE_LIMITS.unstartedWaitMs }
    all.add(one)
    try {
      return await one.do(task, signal)
    } finally {
      all.delete(one)
      one.end()
    }
  }

  return {
    async run(task, signal) {
      if (atWork >= LONE_LIMITS.most) return { kind: 'wait', waitMs: LONE_LIMITS.busyWaitMs }
      atWork += 1
      try {
        return await runAlone(task, signal)
      } finally {
        atWork -= 1
      }
    },
    close() {
      for (const one of all) one.end()
    },
  }
}
