import { type Job, Queue } from 'bullmq'
import { z } from 'zod'
import type { Logger } from '../../base/logger.ts'
import { type ChatPress, chatPressSchema } from '../../chat/event.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import type { StateKey } from '../../store/signed-text.ts'
import { storeError } from '../../store/store-error.ts'
import { inSpan, traceparent } from '../../telemetry/span.ts'
import { askerName } from '../asker.ts'
import { DRAIN_PREFIX } from '../drain-queue.ts'
import { fairPriority } from '../fair-priority.ts'
import { PRESS_LIMITS } from '../limits.ts'
import { openValue, signedSchema, signValue } from '../signed-job.ts'

/** Presses have three queues, so that a press on Stop, or one that only reads, does not wait for slower presses. */
export const PRESS_QUEUES = { stop: 'stops', read: 'readings', other: 'presses' } as const
export type PressQueueName = (typeof PRESS_QUEUES)[keyof typeof PRESS_QUEUES]

function queueOf({ pressed: { action } }: ChatPress): PressQueueName {
  if (action === 'stop') return PRESS_QUEUES.stop
  return action === 'sql' || action === 'csv' ? PRESS_QUEUES.read : PRESS_QUEUES.other
}

const writtenSchema = signedSchema.extend({
  /**
   * Whether the press has killed its lone process. The field is not signed, because a forged value can do little harm: it only
   * makes the press fail.
   */
  hasCrashed: z.boolean().optional(),
  /** The span that accepted the press. Not signed either, because it only names the trace to which the work is added. */
  traceparent: z.string().optional(),
})

/**
 * Reads the press from a job.
 * @throws Error for a press that was not signed for this job
 */
export function readPress(
  key: StateKey,
  jobId: string,
  data: unknown,
): { readonly press: ChatPress; readonly hasCrashed: boolean; readonly parent: string | undefined } {
  const { signed, hasCrashed = false, traceparent: parent } = writtenSchema.parse(data)
  return { press: chatPressSchema.parse(openValue(key, `press ${jobId}`, { signed })), hasCrashed, parent }
}

/**
 * Records that a press killed its process. The press then does not run again, and the person gets a reply that explains the
 * failure.
 */
export async function notePressCrash(job: Job): Promise<void> {
  await job.updateData({ ...writtenSchema.parse(job.data), hasCrashed: true })
}

/** Queues presses. In each queue, people take turns. */
export interface PressQueue {
  /**
   * Queues a press once, even if the platform delivers it several times. The caller may then acknowledge the press.
   * @throws StoreError
   */
  accept(press: ChatPress): Promise<void>
  close(): Promise<void>
}

export function createPressQueue(deps: { readonly redis: RedisClient; readonly logger: Logger }): PressQueue {
  const queues = new Map(Object.values(PRESS_QUEUES).map(name => [name, open(name)]))

  function open(name: PressQueueName): Queue {
    const queue = new Queue(name, { connection: deps.redis, prefix: DRAIN_PREFIX })
    queue.on('error', error => deps.logger.debug({ error: error.message }, 'press queue connection error'))
    return queue
  }

  const accepting: PressQueue = {
    async accept(press) {
      const { finishedJobs, attempts, firstRetryMs } = PRESS_LIMITS
      const queue = queues.get(queueOf(press))
      if (queue === undefined) return
      const priority = await fairPriority(deps.redis, queue, askerName(press.place, press.user), {
        id: press.pressId,
        counts: true,
      })
      try {
        const jobId = encodeURIComponent(`${press.place.platform}/${press.pressId}`)
        const data = { ...signValue(deps.redis.stateKey, `press ${jobId}`, press), ...traceparent() }
        await queue.add('press', data, {
          priority,
          // BullMQ allows no colon in a job's id.
          jobId,
          attempts,
          backoff: { type: 'exponential', delay: firstRetryMs },
          removeOnComplete: finishedJobs,
          removeOnFail: finishedJobs,
        })
      } catch (error) {
        throw storeError(error)
      }
    },
    close: async () => void (await Promise.all([...queues.values()].map(queue => queue.close()))),
  }
  const accept = (press: ChatPress) =>
    inSpan('accept press', { kind: 'producer', attributes: attributesOf(press) }, () => accepting.accept(press))
  return { ...accepting, accept }
}

/** The attributes of a press's spans. */
export function attributesOf({ place, pressed: { action, runId } }: ChatPress) {
  return { 'messaging.system': place.platform, 'clew.action': action, 'clew.run': runId } as const
}
