import { afterOthersTurn } from '../../base/slices.ts'
import { NotNeededError } from '../../history/not-needed-error.ts'
import type { StepContext } from '../run/context.ts'
import type { RunEvent } from '../run/event.ts'
import type { TaskGroup } from '../run/task-group.ts'

/** A part of a run that starts before it is known whether the run needs it. */
export interface Ahead<R> {
  /** Rejects if the part fails, which does not end the run. */
  readonly result: Promise<R>
  /** The run needs the part: its events and trace entries, past and future, appear. Has no effect after `drop`. */
  keep(): Promise<void>
  /** The run does not need the part: it ends at once, unseen, and the trace gives the cause. Has no effect after `keep`. */
  drop(cause: string): void
}

/**
 * Starts a part of a run ahead of time. Until it is kept, its events and trace entries are held back. Results of its steps are
 * checkpointed anyway.
 */
export function beginAhead<Context extends StepContext, R>(
  group: TaskGroup,
  context: Context,
  work: (context: Context, signal: AbortSignal) => Promise<R>,
): Ahead<R> {
  const branch = context.log.branch()
  let held: RunEvent[] | undefined = []
  const observe = (event: RunEvent) => {
    if (held === undefined) context.observe(event)
    else held.push(event)
  }
  let settled: Promise<void> | undefined
  const task = group.start(async signal => {
    // Lets the more urgent work start first.
    await afterOthersTurn()
    const outcome = await work({ ...context, log: branch.log, observe }, signal).then(
      value => ({ ok: true, value }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    )
    // The run ended before anybody kept or dropped this part.
    if (signal.aborted) settled ??= branch.drop('the run ended before it was known whether this was needed')
    // A failed trace entry of a dropped part does not matter.
    await settled?.catch(() => undefined)
    return outcome
  })
  const result = task.result.then(outcome => {
    if (outcome.ok) return outcome.value
    throw outcome.error
  })
  // The caller of `drop` does not wait for the result.
  result.catch(() => undefined)
  return {
    result,
    keep: async () => {
      if (settled !== undefined) return
      const events = held ?? []
      held = undefined
      events.forEach(context.observe)
      settled = branch.keep()
      await settled
    },
    drop: cause => {
      if (settled !== undefined) return
      settled = branch.drop(cause)
      settled.catch(() => undefined)
      task.cancel(new NotNeededError(cause))
    },
  }
}
