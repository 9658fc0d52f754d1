import { readConfig } from './config.ts'
import { Resources } from './lifecycle.ts'
import { createLogger } from './logger.ts'
import { wireAnswering } from './main-answering.ts'
import { wireChatPlatforms } from './main-chat-platforms.ts'
import { wireJobs } from './main-pipelines.ts'
import { wireRedis } from './main-store.ts'
import { createDoLoneTask } from './queue/do-lone-task.ts'
import { doQueuedJob } from './queue/do-queued-job.ts'
import { openDrainParts } from './queue/drain-parts.ts'
import { createScheduledWork, PIPELINE_QUEUE } from './queue/pipeline-schedule.ts'
import type { PipelineWork } from './queue/pipeline-worker.ts'
import { createAnswerPress } from './queue/press-worker.ts'
import { REPLAY_QUEUE } from './queue/replay-queue.ts'
import { createReplayWork } from './queue/replay-worker.ts'
import { serveLoneProcess } from './queue/serve-lone-process.ts'
import { watchLoop } from './watch-loop.ts'

// A worker's child process for single messages, presses or jobs that may have killed workers. Its resources end with it, since its worker kills it.
await serveLoneProcess(async () => {
  const config = readConfig(process.env)
  const logger = createLogger({ level: config.logLevel, secrets: config.secrets })
  watchLoop(logger)
  const context = { config, logger, resources: new Resources() }
  const { signal } = new AbortController()
  const platforms = await wireChatPlatforms(context)
  const redis = await wireRedis(context, 'worker', signal)
  const { message, handlePress, warehouse, cancellation } = await wireAnswering(context, { platforms, redis }, signal)
  const answerPress = createAnswerPress({ handle: handlePress, destinations: message.destinations, logger })
  const pipelines = await wireJobs(context, warehouse, signal)
  const works: Readonly<Record<string, PipelineWork>> = {
    [PIPELINE_QUEUE]: createScheduledWork({ pipelines, logger }),
    [REPLAY_QUEUE]: createReplayWork({ pipelines, cancellation, key: redis.stateKey, now: Date.now, logger }),
  }
  return createDoLoneTask({
    message: openDrainParts(message).deps,
    answerPress,
    doJob: (queue, id, asked) => doQueuedJob(redis, { queue, id, work: works[queue] }, asked),
  })
})
