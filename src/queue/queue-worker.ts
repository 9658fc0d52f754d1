import { type Job, WaitingError, type Worker } from 'bullmq'
import { doneWithin } from '../base/done-within.ts'
import { errorMessage } from '../base/errors.ts'
import { repeat } from '../base/repeat.ts'
import type { LoneProcesses } from './alone/processes.ts'
import { askerOfHead } from './asker.ts'
import { closeWorker } from './close-worker.ts'
import { type DrainPartsDeps, openDrainParts } from './drain/drain-parts.ts'
import { DrainStoppedError } from './drain/drain-stopped-error.ts'
import { drainThread, type ThreadDrainDeps } from './drain/thread-drain.ts'
import { sweepThreads } from './drain/thread-sweep.ts'
import { createDrainQueue, DRAIN_QUEUE, drainJobSchema } from './drain-queue.ts'
import { FairSlots, putOff } from './fair-slots.ts'
import { FenceLostError } from './fence-lost-error.ts'
import { QUEUE_LIMITS } from './limits.ts'
import { openWorker } from './open-worker.ts'
import type { WaitingSlots } from './waiting-slots.ts'

export interface QueueWorker {
  /**
   * Starts to take messages.
   * @throws StoreError
   */
  start(): Promise<void>
  /** Returns how many threads the worker answers now, and how many it may answer at a time. */
  load(): { readonly threads: number; readonly slots: number }
  /** Takes no new messages from now on. Running answers continue. */
  stopTaking(): void
  /**
   * Takes no new messages, and gives running answers `graceMs` to finish. After that, gives unfinished messages back to the
   * queue. Each stays first in its thread. Does not close the parts that the caller passed in, such as `redis`.
   */
  close(graceMs: number): Promise<void>
}

export interface QueueWorkerDeps extends DrainPartsDeps {
  /** Runs a message in a process of its own if the message may have killed its worker. */
  readonly alone?: Pick<LoneProcesses, 'run'>
  /** The maximum number of threads of one asker that run in parallel. The worker has as many slots again for other askers. */
  readonly concurrency: number
  /** Counts the threads that only wait. Each of them makes room for other threads. */
  readonly waitingSlots?: WaitingSlots
}

export function createQueueWorker(deps: QueueWorkerDeps): QueueWorker {
  const { redis, logger } = deps
  const queue = createDrainQueue({ redis, logger })
  const parts = openDrainParts(deps)
  const drains = new Map<string, AbortController>()
  const stopping = new AbortController()
  const fairSlots = new FairSlots(redis)
  let lent = 0
  // One asker gets at most half of the slots.
  const slots = () => 2 * (deps.concurrency + lent)
  let sweeping = Promise.resolve()
  let closed: Promise<void> | undefined
  const drainDeps = {
    ...parts.deps,
    alone: deps.alone,
    isStopping: () => stopping.signal.aborted,
  } satisfies ThreadDrainDeps

  async function process(job: Job, token: string | undefined): Promise<void> {
    const { thread, asker = thread } = drainJobSchema.parse(job.data)
    await fairSlots.during(worker, { job, token, asker, slots: slots() }, () => drain(job, thread, token))
  }

  async function drain(job: Job, thread: string, token: string | undefined): Promise<void> {
    const jobId = job.id ?? ''
    const ending = new AbortController()
    drains.set(jobId, ending)
    try {
      const outcome = await drainThread(thread, drainDeps, ending.signal)
      if (outcome.kind === 'wait') return await putOff(job, outcome.waitMs, token)
      if (outcome.kind === 'more') await wakeAgain(thread, { afterActive: true })
      if (outcome.kind === 'stopped') {
        await job.moveToWait(token)
        throw new WaitingError()
      }
    } finally {
      // This removes only the entry of this drain. If the drain has lost its lock, the entry may already belong to a new drain of
      // the same thread.
      if (drains.get(jobId) === ending) drains.delete(jobId)
    }
  }

  /** Queues a thread again for the author of its next message. Does nothing for an empty thread. */
  async function wakeAgain(thread: string, options: { readonly afterActive: boolean; readonly delayMs?: number }): Promise<void> {
    const asker = await askerOfHead(redis, thread)
    if (asker !== undefined) await queue.wake(thread, { asker, ...options })
  }

  const worker: Worker = openWorker(DRAIN_QUEUE, process, { redis, concurrency: slots(), logger })
  worker.on('lockRenewalFailed', jobIds => {
    for (const jobId of jobIds) drains.get(jobId)?.abort(new FenceLostError(jobId))
  })
  worker.on('failed', (job, error) => {
    logger.error({ job: job?.id, error: error.message }, 'drain failed; its thread is woken again')
    const parsed = drainJobSchema.safeParse(job?.data)
    if (!parsed.success) return
    wakeAgain(parsed.data.thread, { afterActive: false, delayMs: QUEUE_LIMITS.wakeDelayMs }).catch((wakeError: unknown) => {
      logger.warn({ thread: parsed.data.thread, error: errorMessage(wakeError) }, 'thread left to the next sweep')
    })
  })

  deps.waitingSlots?.listen(count => {
    lent = count
    const isMore = slots() > worker.concurrency
    worker.concurrency = slots()
    if (isMore && !stopping.signal.aborted)
      lookAgain().catch((error: unknown) => {
        logger.warn({ error: errorMessage(error) }, 'slots of waiting threads could not be lent')
      })
  })

  /**
   * Makes BullMQ notice the new number of slots, by pausing and resuming the worker. If all slots are taken, BullMQ would
   * otherwise notice it only when a job ends. A pause does not affect running jobs.
   */
  async function lookAgain(): Promise<void> {
    await worker.pause(true)
    await worker.resume()
  }

  function stopTaking(): Promise<void> {
    stopping.abort()
    closed ??= worker.close()
    return closed
  }

  return {
    async start() {
      await sweepThreads({ redis, queue })
      worker.run().catch((error: unknown) => logger.error({ error: errorMessage(error) }, 'queue worker ended'))
      const onError = (error: unknown) => logger.warn({ error: errorMessage(error) }, 'threads could not be swept')
      sweeping = repeat(() => sweepThreads({ redis, queue }), { everyMs: QUEUE_LIMITS.sweepMs, onError }, stopping.signal)
    },

    load: () => ({ threads: drains.size, slots: slots() }),

    stopTaking() {
      stopTaking().catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'queue worker did not close'))
    },

    async close(graceMs) {
      const callOff = () => {
        if (drains.size === 0) return
        logger.info({ threads: drains.size }, 'grace is over: handing unfinished messages back')
        for (const drain of drains.values()) drain.abort(new DrainStoppedError())
      }
      const hasEnded = await closeWorker({
        closed: stopTaking(),
        inHand: () => drains.size,
        graceMs,
        callOff,
        handBackMs: QUEUE_LIMITS.handBackMs,
      })
      if (!hasEnded) logger.warn({ threads: drains.size }, 'worker closed early; other workers take over its threads')
      await doneWithin(QUEUE_LIMITS.idleCloseMs, sweeping)
      await parts.close()
      await queue.close()
    },
  }
}
