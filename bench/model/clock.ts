/** The clock that decides when the simulated model sends each token. */
export interface Clock {
  /** Returns the Unix time in milliseconds, with fractions. */
  now(): number
  /** Calls `run` as soon as `now()` has reached `time`. @returns a function that cancels the call */
  at(time: number, run: () => void): () => void
}

/** The real clock. It never calls too early. A busy event loop may make it call late. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  at(time, run) {
    const timer = setTimeout(run, Math.max(0, Math.ceil(time - SYSTEM_CLOCK.now())))
    return () => clearTimeout(timer)
  },
}
