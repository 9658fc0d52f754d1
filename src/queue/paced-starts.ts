import { performance } from 'node:perf_hooks'
import { KeyedSequence } from './keyed-sequence.ts'
import { QUEUE_LIMITS } from './limits.ts'

/**
 * Limits how many runs of one person are under way, so that they leave time of the event loop to other people's runs. The loop
 * treats all runs alike: beside twenty runs of one person, another person's run would get about one twentieth of the loop. While
 * the loop is busy, only `startsOfBusy` runs of each person are under way. Runs that wait for a model leave the loop idle, and
 * then more runs start.
 */
export class PacedStarts {
  readonly #work = new KeyedSequence(QUEUE_LIMITS.startsOfBusy)
  #timer: NodeJS.Timeout | undefined

  during<Value>(person: string, work: () => Promise<Value>): Promise<Value> {
    const done = this.#work.run(person, work)
    this.#watchLoop()
    return done
  }

  /** While work waits, checks how busy the loop is. If the loop was idle for long enough, starts more work. */
  #watchLoop(): void {
    if (this.#timer !== undefined || !this.#work.isAnyWaiting) return
    const before = performance.eventLoopUtilization()
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (performance.eventLoopUtilization(before).utilization < QUEUE_LIMITS.busyShare) this.#work.startOneMore()
      this.#watchLoop()
    }, QUEUE_LIMITS.startPauseMs)
  }
}
