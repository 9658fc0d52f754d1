import type { Analyst } from '../agent/analyst.ts'
import { RunError } from '../agent/run/error.ts'
import type { RunEvent, RunObserver } from '../agent/run/event.ts'
import { subjectAtHand } from '../base/watched-work.ts'
import type { AuditLog } from './log.ts'

/**
 * Waits until all that the current run has done is in the audit log.
 * @throws RunError `run_unrecorded`; after an abort, the signal's reason
 */
export type UntilRecorded = (signal: AbortSignal) => Promise<void>

export function untilRecorded(log: Pick<AuditLog, 'recorded'>): UntilRecorded {
  return async signal => {
    const { run } = subjectAtHand()
    try {
      await log.recorded(run, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw RunError.unrecorded(error)
    }
  }
}

/** Wraps an analyst so that nobody sees an answer, or a part of one, that is not in the audit log. */
export function recordedAnalyst(analyst: Pick<Analyst, 'ask'>, recorded: UntilRecorded): Pick<Analyst, 'ask'> {
  return {
    async ask(question, signal) {
      const observe = question.observe && withoutContent(question.observe)
      const answer = await analyst.ask({ ...question, ...(observe && { observe }) }, signal)
      await recorded(signal)
      return answer
    },
  }
}

/** Passes on the progress of a run, without rows and without the growing answer. */
function withoutContent(observe: RunObserver): RunObserver {
  return (event: RunEvent) => {
    if (event.kind === 'answer_grown') return
    if (event.kind !== 'query_finished') return observe(event)
    const { table: _, ...progress } = event
    observe(progress)
  }
}
