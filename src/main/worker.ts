import type { Replayer } from '../agent/lineage/replayer.ts'
import { compiledEntry } from '../base/package-files.ts'
import { watchLoop } from '../base/watch-loop.ts'
import { createLoneProcesses, type LoneProcesses } from '../queue/alone/processes.ts'
import { createPipelineSchedule } from '../queue/jobs/pipeline-schedule.ts'
import type { PipelineWorker } from '../queue/jobs/pipeline-worker.ts'
import { createReplayWorker } from '../queue/jobs/replay-worker.ts'
import { createPressWorker } from '../queue/presses/worker.ts'
import { createQueueWorker } from '../queue/queue-worker.ts'
import { WaitingSlots } from '../queue/waiting-slots.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { redisAnswers } from '../store/redis/connection.ts'
import { createDueRuns } from '../subscriptions/due-runs.ts'
import { Subscriptions } from '../subscriptions/store.ts'
import type { ReadinessCheck } from '../telemetry/health-server.ts'
import { type Answering, wireAnswering } from './answering.ts'
import { wireChatPlatforms } from './chat-platforms.ts'
import { wireAcceptor } from './chat-queue.ts'
import type { CommandContext } from './commands/command-context.ts'
import { serveUntilStopped } from './commands/serve-until-stopped.ts'
import { MAIN_LIMITS } from './limits.ts'
import { wireJobs } from './pipelines.ts'
import { reportProcess } from './report-process.ts'
import { requireParts } from './required-parts.ts'
import { wireSpans } from './spans.ts'
import { observing, type WiringContext, wireRedis } from './store.ts'

/**
 * Matches environment variables that a lone process gets in addition to those of the configuration: all with Clew's prefixes,
 * such as `CLEW_…`, and some of the system and Node.
 */
const FURTHER_VARIABLES = /^(?:(?:CLEW|CLICKHOUSE|OPENAI|REDIS)_\w+|PATH|HOME|TMPDIR|TZ|NODE_EXTRA_CA_CERTS|NODE_OPTIONS)$/

/** Starts a worker. It takes threads with waiting messages from the queue and answers them. */
async function startWorker(context: WiringContext, signal: AbortSignal): Promise<Record<string, ReadinessCheck>> {
  const { config, logger, resources } = context
  resources.add('watch over the event loop', watchLoop(logger), opened => opened.close())
  const platforms = await wireChatPlatforms(context)
  const redis = await wireRedis(context, 'worker', signal)
  const waitingSlots = new WaitingSlots()
  const lent = (replays: Replayer): Replayer => ({ replay: (...given) => waitingSlots.during(replays.replay(...given)) })
  const answering = await wireAnswering(context, { platforms, redis, replayerOver: lent }, signal)
  const { message, handlePress: handle, warehouse, cancellation } = answering
  const { destinations } = message
  const entry = compiledEntry('main/lone-process')
  const isOwn = (name: string) => config.variables.includes(name) || FURTHER_VARIABLES.test(name)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => isOwn(name)))
  const openAlone = () => resources.add('lone processes', createLoneProcesses({ entry, env, logger }), opened => opened.close())
  const alone = openAlone()
  const created = createQueueWorker({ ...message, alone, concurrency: config.workerConcurrency, waitingSlots })
  const worker = resources.add(
    'queue worker',
    created,
    opened => opened.close(MAIN_LIMITS.answerGraceMs),
    MAIN_LIMITS.answerStopMs,
  )
  // The press worker is added after the queue worker, so it closes first. While running answers take time to end, other workers
  // handle presses on Stop.
  const presses = createPressWorker({
    redis,
    handle,
    destinations,
    alone,
    ...observing(context),
    recorded: context.recorded,
    logger,
  })
  resources.add('press worker', presses, opened => opened.close(MAIN_LIMITS.pressGraceMs))
  await worker.start()
  signal.throwIfAborted()
  // When this worker is stopped, it takes no more messages from that moment, although the queue worker itself may close much
  // later.
  signal.addEventListener('abort', () => worker.stopTaking(), { once: true })
  presses.start()
  const dueDeps = { subscriptions: new Subscriptions({ redis, now: Date.now }), acceptor: wireAcceptor(context, redis).acceptor }
  resources.add('due runs', createDueRuns({ ...dueDeps, logger }), opened => opened.close())
  for (const each of await wirePipelineWorkers(context, { redis, warehouse, cancellation, alone: openAlone() }, signal)) {
    each.start()
    resources.add('pipeline worker', each, opened => opened.close(MAIN_LIMITS.jobGraceMs), MAIN_LIMITS.jobStopMs)
  }
  if (Object.keys(platforms.destinations).length === 0)
    logger.warn('no chat platform is configured: this worker answers over HTTP only')
  logger.info({ threads: config.workerConcurrency }, 'worker started')
  return reportProcess(
    context,
    { kind: 'worker', redis },
    {
      ...answering.checks,
      slots: () => {
        const { threads, slots } = worker.load()
        return `${threads} of ${slots} busy`
      },
      redis: () => redisAnswers(redis),
      warehouse: () =>
        warehouse
          .read({ sql: 'SELECT 1', timeoutMs: MAIN_LIMITS.readyQueryMs, isProbe: true }, AbortSignal.timeout(MAIN_LIMITS.readyMs))
          .then(() => true),
    },
  )
}

/**
 * Runs scheduled jobs and replays from Redis queues in this process. A job that may have killed its worker is repeated in one of
 * the lone processes `parts.alone`. These do not run messages, because a message could then wait for a long job.
 */
async function wirePipelineWorkers(
  context: WiringContext,
  parts: Pick<Answering, 'warehouse' | 'cancellation'> & { readonly redis: RedisClient; readonly alone: LoneProcesses },
  signal: AbortSignal,
): Promise<readonly PipelineWorker[]> {
  const { redis, cancellation, alone } = parts
  const { logger } = context
  const { pipelines } = await wireJobs(context, parts.warehouse, signal)
  return [
    createPipelineSchedule({ redis, pipelines, alone, logger }),
    createReplayWorker({ redis, pipelines, cancellation, alone, now: Date.now, logger }),
  ]
}

/** `clew worker`: answers messages from the queue until it is stopped. */
export async function workerCommand(context: CommandContext): Promise<number> {
  requireParts(context.config, ['redis', 'warehouse', 'model'])
  await wireSpans(context, 'clew-worker')
  return serveUntilStopped(context, () => startWorker(context, context.signal))
}
