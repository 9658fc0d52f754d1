import type { NotNeededError } from '../../history/not-needed-error.ts'

/** One error for all groups, because each that `abort` makes by itself takes a stack trace. */
const ENDED = new DOMException('This operation was aborted', 'AbortError')

/**
 * Runs `body`, which starts tasks. The first error of a task aborts the other tasks. When `body` ends, all tasks are ended too.
 */
export async function withTaskGroup<T>(parent: AbortSignal, body: (group: TaskGroup) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const signal = AbortSignal.any([parent, controller.signal])
  const running = new Set<Promise<unknown>>()
  const group: TaskGroup = {
    signal,
    start<R>(work: (signal: AbortSignal) => Promise<R>): CancellableTask<R> {
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
    // Inside `body`, the error of a task looks like an abort. The caller must get the error itself.
    throw controller.signal.aborted && !parent.aborted ? controller.signal.reason : error
  } finally {
    controller.abort(ENDED)
    await Promise.all(running)
  }
}

export interface TaskGroup {
  readonly signal: AbortSignal
  start<R>(work: (signal: AbortSignal) => Promise<R>): CancellableTask<R>
}

export interface CancellableTask<R> {
  readonly result: Promise<R>
  /** @param reason shown in the trace */
  cancel(reason?: NotNeededError): void
}
