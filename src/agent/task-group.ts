import type { NotNeededError } from '../history/not-needed-error.ts'

/**
 * Tasks that live and end together: the first fault aborts the others, and nothing is left running when the group's body has ended, however it
 * ended. `work` gets the signal that ends them.
 */
export async function withTaskGroup<T>(parent: AbortSignal, body: (group: TaskGroup) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const signal = AbortSignal.any([parent, controller.signal])
  const running = new Set<Promise<unknown>>()
  const group: TaskGroup = {
    signal,
    start<R>(work: (signal: AbortSignal) => Promise<R>): Task<R> {
      const own = new AbortController()
      const promise = work(AbortSignal.any([signal, own.signal]))
      const settled = promise
        .catch(error => {
          if (!own.signal.aborted) controller.abort(error)
        })
        .finally(() => running.delete(settled))
      running.add(settled)
      return { result: promise, cancel: reason => own.abort(reason) }
    },
  }
  try {
    return await body(group)
  } catch (error) {
    // A task's fault reaches the body as an abort; the fault itself is what the caller must see.
    throw controller.signal.aborted && !parent.aborted ? controller.signal.reason : error
  } finally {
    controller.abort()
    await Promise.all(running)
  }
}

export interface TaskGroup {
  readonly signal: AbortSignal
  start<R>(work: (signal: AbortSignal) => Promise<R>): Task<R>
}

export interface Task<R> {
  readonly result: Promise<R>
  /** @param reason why, for the trace of what it was about */
  cancel(reason?: NotNeededError): void
}
