/** Time as the model's server sees it. */
export interface Clock {
  /** Unix time in milliseconds, with fractions. */
  now(): number
  /** Calls `run` once `now()` has reached `time`. @returns what calls it off */
  at(time: number, run: () => void): () => void
}

/** Never early, and never later than the event loop is. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  at(time, run) {
    const timer = setTimeout(run, Math.max(0, Math.ceil(time - SYSTEM_CLOCK.now())))
    return () => clearTimeout(timer)
  },
}
