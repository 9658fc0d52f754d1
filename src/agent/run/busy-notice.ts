import type { RunObserver } from './event.ts'

/**
 * Returns an observer that gets at most one notice in a run that the model is busy, and its end. Several calls may wait at the
 * same time, and each tells of itself.
 */
export function withOneBusyNotice(observe: RunObserver): RunObserver {
  let waiting = 0
  let isOver = false
  return event => {
    if (event.kind !== 'model_busy') return observe(event)
    const wasBusy = waiting > 0
    waiting += event.isBusy ? 1 : -1
    if (isOver || wasBusy === waiting > 0) return
    isOver = waiting === 0
    observe(event)
  }
}
