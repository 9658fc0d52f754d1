import { DelayedError, Job, type Worker } from 'bullmq'
import type { RedisClient } from '../store/redis/client.ts'
import { jobBegan } from './fair-priority.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { PacedStarts } from './paced-starts.ts'

/** Divides a worker's slots so that no person takes all of them. A slot is one of the jobs that the worker does in parallel. */
export class FairSlots {
  readonly #redis: RedisClient
  readonly #shares = new Shares()
  readonly #starts = new PacedStarts()

  constructor(redis: RedisClient) {
    this.#redis = redis
  }

  /**
   * Does a job in a slot of its asker.
   * @param most the number of slots that one asker may hold
   * @throws DelayedError if the asker already holds that many slots; the job resumes when another job of the asker ends
   */
  async during(
    worker: Worker,
    {
      job,
      token,
      asker,
      most,
    }: { readonly job: Job; readonly token: string | undefined; readonly asker: string; readonly most: number },
    work: () => Promise<void>,
  ): Promise<void> {
    if (!this.#shares.take(asker, job.id ?? '', most)) return putOff(job, QUEUE_LIMITS.shareWaitMs, token)
    try {
      await jobBegan(this.#redis, worker, job.priority)
      await this.#starts.during(asker, work)
    } finally {
      this.#shares.give(asker)
      await this.#takeUpNext(worker, asker)
    }
  }

  /** Resumes a delayed job of an asker. If this call fails, the job resumes by itself when its delay is over. */
  async #takeUpNext(worker: Worker, asker: string): Promise<void> {
    for (let id = this.#shares.next(asker); id !== undefined; id = this.#shares.next(asker)) {
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
  readonly #inHand = new Map<string, number>()
  readonly #putOff = new Map<string, Set<string>>()

  /**
   * Takes a slot for a job.
   * @param most the number of slots that one asker may hold
   * @returns false if the job must wait
   */
  take(asker: string, jobId: string, most: number): boolean {
    const inHand = this.#inHand.get(asker) ?? 0
    const putOff = this.#putOff.get(asker) ?? new Set()
    if (inHand >= most) {
      this.#putOff.set(asker, putOff.add(jobId))
      return false
    }
    putOff.delete(jobId)
    this.#inHand.set(asker, inHand + 1)
    return true
  }

  give(asker: string): void {
    const left = (this.#inHand.get(asker) ?? 0) - 1
    if (left > 0) this.#inHand.set(asker, left)
    else this.#inHand.delete(asker)
  }

  /** Returns the asker's oldest delayed job and removes it from the list. Undefined if there is none. */
  next(asker: string): string | undefined {
    const putOff = this.#putOff.get(asker)
    const [first] = putOff ?? []
    if (first !== undefined) putOff?.delete(first)
    if (putOff?.size === 0) this.#putOff.delete(asker)
    return first
  }
}
