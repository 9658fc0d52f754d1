/** The clock of the model server. */
export interface Clock {
  /** Unix time in milliseconds, with fractions. */
  now(): number
  /** Calls `run` once `now()` has reached `time`. @returns a function that cancels this */
  at(time: number, run: () => void): () => void
}

/** The system's clock. It never calls early, and is as punctual as the event loop. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  at(time, run) {
    const timer = setTimeout(run, Math.max(0, Math.ceil(time - SYSTEM_CLOCK.now())))
    return () => clearTimeout(timer)
  },
}
