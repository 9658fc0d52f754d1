import { Queue } from 'bullmq'
import type { RedisClient } from '../../store/redis/client.ts'
import { DRAIN_PREFIX } from '../drain-queue.ts'
import type { PipelineWork } from '../jobs/pipeline-worker.ts'

/**
 * Does a queued job in a lone process. Meanwhile, the worker keeps the job's lock.
 * @throws the error of `work`, or Error if the job does not exist
 */
export async function doQueuedJob(
  redis: RedisClient,
  { queue: name, id, work }: { readonly queue: string; readonly id: string; readonly work: PipelineWork | undefined },
  signal: AbortSignal,
): Promise<unknown> {
  const queue = new Queue(name, { connection: redis, prefix: DRAIN_PREFIX })
  queue.on('error', () => undefined)
  try {
    const job = await queue.getJob(id)
    if (job === undefined || work === undefined) throw new Error(`there is no job ${id} in the queue ${name}`)
    return await work(job, signal)
  } finally {
    await queue.close()
  }
}
