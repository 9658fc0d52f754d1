import { afterOthersTurn } from '../../base/slices.ts'
import { NotNeededError } from '../../history/not-needed-error.ts'
import type { StepContext } from '../run/context.ts'
import type { RunEvent } from '../run/event.ts'
import type { TaskGroup } from '../run/task-group.ts'

/** A part of a run that starts before the program knows whether the run needs it. */
export interface Ahead<R> {
  /** Rejects if the part fails. Such a failure does not end the run. */
  readonly result: Promise<R>
  /**
   * Marks the part as needed. Its held-back events and trace entries appear now, and later ones at once. No effect after `drop`.
   */
  keep(): Promise<void>
  /**
   * Marks the part as not needed. It stops at once, and nothing of it is shown. The trace gives `cause` as the reason. No effect
   * after `keep`.
   */
  drop(cause: string): void
}

/**
 * Starts a part of a run ahead of time. Its events and trace entries are held back until `keep` is called. The results of its
 * steps are checkpointed at once.
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
    // More urgent work runs before this part.
    await afterOthersTurn()
    const outcome = await work({ ...context, log: branch.log, observe }, signal).then(
      value => ({ ok: true, value }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    )
    // If the run ends before this part was kept or dropped, the part is dropped now.
    if (signal.aborted) settled ??= branch.drop('the run ended before it was known whether this was needed')
    // If the trace of a dropped part cannot be written, the error is ignored, because nobody needs that trace.
    await settled?.catch(() => undefined)
    return outcome
  })
  const result = task.result.then(outcome => {
    if (outcome.ok) return outcome.value
    throw outcome.error
  })
  // Nobody awaits the result of a dropped part. The rejection is handled here, because otherwise Node would report it.
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
