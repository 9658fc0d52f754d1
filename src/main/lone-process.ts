import { AUDIT_LIMITS } from '../audit/limits.ts'
import { untilRecorded } from '../audit/recorded-analyst.ts'
import { Resources } from '../base/lifecycle.ts'
import { createLogger } from '../base/logger.ts'
import { watchLoop } from '../base/watch-loop.ts'
import { createDoLoneTask } from '../queue/alone/do-lone-task.ts'
import { doQueuedJob } from '../queue/alone/do-queued-job.ts'
import { serveLoneProcess } from '../queue/alone/serve-lone-process.ts'
import { openDrainParts } from '../queue/drain/drain-parts.ts'
import { createScheduledWork, PIPELINE_QUEUE } from '../queue/jobs/pipeline-schedule.ts'
import type { PipelineWork } from '../queue/jobs/pipeline-worker.ts'
import { REPLAY_QUEUE } from '../queue/jobs/replay-queue.ts'
import { createReplayWork } from '../queue/jobs/replay-worker.ts'
import { createAnswerPress } from '../queue/presses/worker.ts'
import { Observers } from '../telemetry/observation.ts'
import { wireAnswering } from './answering.ts'
import { wireAudit } from './audit.ts'
import { wireChatPlatforms } from './chat-platforms.ts'
import { readConfig } from './config.ts'
import { wireJobs } from './pipelines.ts'
import { observing, type WiringContext, wireRedis } from './store.ts'

// The entry of a child process of a worker. It handles single messages, presses or jobs that may have killed workers. It closes
// no resources, because its worker kills it.
await serveLoneProcess(async () => {
  const config = readConfig(process.env)
  const logger = createLogger({ level: config.logLevel, secrets: config.secrets })
  watchLoop(logger)
  const shared = { config, logger, resources: new Resources(), observers: new Observers() }
  const audit = wireAudit(shared)
  const context: WiringContext = { ...shared, ...(config.audit.isRequired && { recorded: untilRecorded(audit) }) }
  const { signal } = new AbortController()
  const platforms = await wireChatPlatforms(context)
  const redis = await wireRedis(context, 'worker', signal)
  const { message, handlePress, warehouse, cancellation } = await wireAnswering(context, { platforms, redis }, signal)
  const answerPress = createAnswerPress({
    handle: handlePress,
    destinations: message.destinations,
    ...observing(context),
    recorded: context.recorded,
    logger,
  })
  const { pipelines } = await wireJobs(context, warehouse, signal)
  const works: Readonly<Record<string, PipelineWork>> = {
    [PIPELINE_QUEUE]: createScheduledWork({ pipelines, logger }),
    [REPLAY_QUEUE]: createReplayWork({ pipelines, cancellation, key: redis.stateKey, now: Date.now, logger }),
  }
  const doTask = createDoLoneTask({
    message: openDrainParts(message).deps,
    answerPress,
    doJob: (queue, id, asked) => doQueuedJob(redis, { queue, id, work: works[queue] }, asked),
  })
  return async (...given) => {
    const outcome = await doTask(...given)
    await audit.recorded(undefined, AbortSignal.timeout(AUDIT_LIMITS.closeMs)).catch(() => undefined)
    return outcome
  }
})
