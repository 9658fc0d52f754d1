import { NotNeededError } from '../history/not-needed-error.ts'
import { nextTurn } from '../slices.ts'
import type { RunContext } from './run-context.ts'
import type { RunEvent } from './run-event.ts'
import type { TaskGroup } from './task-group.ts'

/** A part of a run that was begun before it is known whether it is needed. */
export interface Ahead<R> {
  /** Rejects with what it failed of, which ends nothing else. */
  readonly result: Promise<R>
  /** It is needed: what it has reported is shown and traced, and so is what it will. Once; nothing after `drop`. */
  keep(): Promise<void>
  /** It is not: it ends at once, nothing of it is shown, and the trace says why. Once; nothing after `keep`. */
  drop(cause: string): void
}

/**
 * Begins a part of a run ahead of time, as a task of the group: until it is kept, nobody sees its events, and its entries are not in the run's trace.
 * What its steps return is checkpointed all the same.
 */
export function beginAhead<R>(
  group: TaskGroup,
  context: RunContext,
  work: (context: RunContext, signal: AbortSignal) => Promise<R>,
): Ahead<R> {
  const branch = context.log.branch()
  let held: RunEvent[] | undefined = []
  const observe = (event: RunEvent) => {
    if (held === undefined) context.observe(event)
    else held.push(event)
  }
  let settled: Promise<void> | undefined
  const task = group.start(async signal => {
    // What it was begun for goes on first.
    await nextTurn()
    const outcome = await work({ ...context, log: branch.log, observe }, signal).then(
      value => ({ ok: true, value }) as const,
      (error: unknown) => ({ ok: false, error }) as const,
    )
    // The run ended first, with this undecided.
    if (signal.aborted) settled ??= branch.drop('the run ended before it was known whether this was needed')
    // The trace of what was dropped is no reason to fail.
    await settled?.catch(() => undefined)
    return outcome
  })
  const result = task.result.then(outcome => {
    if (outcome.ok) return outcome.value
    throw outcome.error
  })
  // Whoever drops it does not wait for it.
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
