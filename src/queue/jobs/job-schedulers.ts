import { isDeepStrictEqual } from 'node:util'
import type { JobsOptions, Queue } from 'bullmq'
import { errorMessage } from '../../base/errors.ts'
import type { JobDefinition } from '../../pipelines/jobs/definition.ts'
import { PIPELINE_LIMITS, QUEUE_LIMITS } from '../limits.ts'

export type ScheduledJob = Pick<JobDefinition, 'name' | 'time_zone'> & { readonly schedule: string }

/**
 * Makes a queue's schedules match the definitions. Leaves a correct schedule untouched, because `upsertJobScheduler` would drop
 * its overdue run and schedule the next one (`removeJobFromScheduler` in addJobScheduler-11.lua).
 * @returns the invalid schedules, each with its reason
 */
export async function keepJobSchedulers(
  queue: Queue,
  wanted: readonly ScheduledJob[],
): Promise<readonly { readonly name: string; readonly error: string }[]> {
  const refused: { name: string; error: string }[] = []
  for (const { name, schedule: pattern, time_zone: tz } of wanted) {
    if (await isKept(queue, name, { pattern, tz })) continue
    await queue
      .upsertJobScheduler(name, { pattern, tz }, { name: 'run', data: { name }, opts: JOB_OPTIONS })
      .catch((error: unknown) => refused.push({ name, error: errorMessage(error) }))
  }
  const names = new Set(wanted.map(({ name }) => name))
  for (const { key } of await queue.getJobSchedulers()) if (!names.has(key)) await queue.removeJobScheduler(key)
  return refused
}

const JOB_OPTIONS = {
  removeOnComplete: { ...QUEUE_LIMITS.finishedJobs },
  removeOnFail: { ...QUEUE_LIMITS.finishedJobs },
  attempts: PIPELINE_LIMITS.attempts,
} satisfies JobsOptions

/** Whether a schedule is correct and its next run exists. The run may wait for its time, wait for a worker, or be in progress. */
async function isKept(queue: Queue, name: string, wanted: { readonly pattern: string; readonly tz: string }): Promise<boolean> {
  const there = await queue.getJobScheduler(name)
  if (there?.next === undefined || there.pattern !== wanted.pattern || there.tz !== wanted.tz) return false
  if (!isDeepStrictEqual(there.template?.opts, JOB_OPTIONS)) return false
  // BullMQ adds the next run when a worker takes a run. If that failed, there is no next run, and the schedule would never run
  // again.
  const next = await queue.getJob(`repeat:${name}:${there.next}`)
  return next !== undefined && next.finishedOn === undefined
}
