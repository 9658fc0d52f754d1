import { DelayedError, Job, type Worker } from 'bullmq'
import type { RedisClient } from '../store/redis-client.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { turnBegan } from './turns.ts'

/** A worker's slots, of which no asker has all. */
export class FairSlots {
  readonly #redis: RedisClient
  readonly #shares = new Shares()

  constructor(redis: RedisClient) {
    this.#redis = redis
  }

  /**
   * Does a job, in a slot of its asker's.
   * @param most what one asker may have in hand
   * @throws DelayedError where the asker has that already: the job is put off, and taken up when another one of the asker's ends
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
      await turnBegan(this.#redis, worker, job.priority)
      await work()
    } finally {
      this.#shares.give(asker)
      await this.#takeUpNext(worker, asker)
    }
  }

  /** Has another job of an asker's taken that was put off here. One that is elsewhere by now, or is not taken up, comes by itself. */
  async #takeUpNext(worker: Worker, asker: string): Promise<void> {
    for (let id = this.#shares.next(asker); id !== undefined; id = this.#shares.next(asker)) {
      const isTakenUp = await Job.fromId(worker, id)
        .then(job => job?.promote().then(() => true))
        .catch(() => false)
      if (isTakenUp === true) return
    }
  }
}

/** Spends no attempt and leaves other jobs alone, unlike a rate limit on the worker. @throws DelayedError, always */
export async function putOff(job: Job, waitMs: number, token: string | undefined): Promise<never> {
  await job.moveToDelayed(Date.now() + waitMs, token)
  throw new DelayedError()
}

/** What each asker has in hand in this process, and the jobs that are put off meanwhile. */
class Shares {
  readonly #inHand = new Map<string, number>()
  readonly #putOff = new Map<string, Set<string>>()

  /** Takes a place for an asker's job. @param most what one asker may have in hand. @returns false where the job is to be put off */
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

  /** Gives a place back. */
  give(asker: string): void {
    const left = (this.#inHand.get(asker) ?? 0) - 1
    if (left > 0) this.#inHand.set(asker, left)
    else this.#inHand.delete(asker)
  }

  /** A job of the asker's that was put off, the first one first; each once. */
  next(asker: string): string | undefined {
    const putOff = this.#putOff.get(asker)
    const [first] = putOff ?? []
    if (first !== undefined) putOff?.delete(first)
    if (putOff?.size === 0) this.#putOff.delete(asker)
    return first
  }
}
