import { DelayedError, Job, type Worker } from 'bullmq'
import { HeldPlaces } from '../base/held-places.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { jobBegan } from './fair-priority.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { PacedStarts } from './paced-starts.ts'

/**
 * Divides a worker's slots between askers. A slot is one of the jobs that the worker does in parallel. An asker takes a further
 * slot only while more slots are free than the asker holds. So the first asker gets at most half of them, the second a quarter,
 * and so on, and a slot is free for whoever comes next.
 */
export class FairSlots {
  readonly #redis: RedisClient
  readonly #shares = new Shares()
  readonly #starts = new PacedStarts()

  constructor(redis: RedisClient) {
    this.#redis = redis
  }

  /**
   * Does a job in a slot of its asker.
   * @param slots the number of the worker's slots
   * @throws DelayedError if the asker holds too many slots; the job resumes when another job ends
   */
  async during(
    worker: Worker,
    {
      job,
      token,
      asker,
      slots,
    }: { readonly job: Job; readonly token: string | undefined; readonly asker: string; readonly slots: number },
    work: () => Promise<void>,
  ): Promise<void> {
    if (!this.#shares.take(asker, job.id ?? '', slots)) return putOff(job, QUEUE_LIMITS.shareWaitMs, token)
    try {
      await jobBegan(this.#redis, worker, job.priority)
      await this.#starts.during(asker, work)
    } finally {
      this.#shares.give(asker)
      await this.#takeUpNext(worker, slots)
    }
  }

  /** Resumes a delayed job. If this call fails, the job still resumes when its delay ends. */
  async #takeUpNext(worker: Worker, slots: number): Promise<void> {
    for (let id = this.#shares.next(slots); id !== undefined; id = this.#shares.next(slots)) {
      const isTakenUp = await Job.fromId(worker, id)
        .then(job => job?.promote().then(() => true))
        .catch(() => false)
      if (isTakenUp === true) return
    }
  }
}

/**
 * Delays a job. Unlike a worker's rate limit, this costs no attempt and does not affect other jobs.
 * @throws DelayedError, always
 */
export async function putOff(job: Job, waitMs: number, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + waitMs, token)
  throw new DelayedError()
}

/** Counts each asker's running jobs in this process. Lists each asker's delayed jobs. */
class Shares {
  readonly #inHand = new HeldPlaces()
  readonly #putOff = new Map<string, Set<string>>()

  /** Takes a slot for a job. @returns false if the job must wait */
  take(asker: string, jobId: string, slots: number): boolean {
    const putOff = this.#putOff.get(asker) ?? new Set()
    if (!this.#mayTake(asker, slots)) {
      this.#putOff.set(asker, putOff.add(jobId))
      return false
    }
    putOff.delete(jobId)
    if (putOff.size === 0) this.#putOff.delete(asker)
    this.#inHand.take(asker)
    return true
  }

  give(asker: string): void {
    this.#inHand.give(asker)
  }

  /** Returns a delayed job that may take a slot now, and removes it from its list. Askers take turns. Undefined if there is none. */
  next(slots: number): string | undefined {
    for (const [asker, putOff] of this.#putOff) {
      const [first] = putOff
      if (first === undefined || !this.#mayTake(asker, slots)) continue
      putOff.delete(first)
      this.#putOff.delete(asker)
      if (putOff.size > 0) this.#putOff.set(asker, putOff)
      return first
    }
    return undefined
  }

  #mayTake(asker: string, slots: number): boolean {
    const own = this.#inHand.of(asker)
    return own === 0 || own < slots - this.#inHand.taken
  }
}
