import { describeRunError } from './agent/describe-run-error.ts'
import type { Replayer } from './agent/lineage/replayer.ts'
import { OpenQuestions } from './agent/open-questions.ts'
import { createPressAccess } from './bots/actions/press-access.ts'
import { createShowClosed } from './bots/actions/show-closed.ts'
import { answerChatMessage } from './bots/answer-chat-message.ts'
import type { Warehouse } from './clickhouse/warehouse.ts'
import type { CommandContext } from './commands/command-context.ts'
import { serveUntilStopped } from './commands/serve-until-stopped.ts'
import type { LanguageModel } from './llm/language-model.ts'
import { wireAccess } from './main-access.ts'
import { wireChatPlatforms } from './main-chat-platforms.ts'
import { wireIntake, wirePresses, wireRecords } from './main-chat-queue.ts'
import { wireAnalyst, wireGuard, wireModel, wireSchemaSource, wireWarehouse } from './main-parts.ts'
import { wirePipelines, wireThreadAnalyst, wireWriter } from './main-pipelines.ts'
import { requireParts } from './main-required.ts'
import { type WiringContext, wireRedis } from './main-store.ts'
import { warmUp } from './main-warm-up.ts'
import { guardDestinations } from './queue/guard-destinations.ts'
import { LentSlots } from './queue/lent-slots.ts'
import { createPipelineSchedule } from './queue/pipeline-schedule.ts'
import type { PipelineWorker } from './queue/pipeline-worker.ts'
import { createPressWorker } from './queue/press-worker.ts'
import { createQueueWorker } from './queue/queue-worker.ts'
import { createReplaceAnswer } from './queue/replace-answer.ts'
import { createReplayQueue } from './queue/replay-queue.ts'
import { createReplayWorker } from './queue/replay-worker.ts'
import type { RunCancellation } from './queue/run-cancellation.ts'
import type { RedisClient } from './store/redis-client.ts'
import { redisAnswers } from './store/redis-connection.ts'
import { createRedisStateStore } from './store/redis-state-store.ts'
import type { ReadinessCheck } from './telemetry/health-server.ts'

/** What running answers get when the process is told to stop; container platforms kill after 30 s as a rule. */
const STOP_GRACE_MS = 20_000
/** What is not handed back then is left to the recovery of killed workers. */
const STOP_LIMIT_MS = STOP_GRACE_MS + 10_000
/** A press is handled in less as a rule; one that is not done is handled by another worker. */
const PRESS_GRACE_MS = 2_000
/** Another worker goes on with a pipeline's job where it stands, so that what takes longer does not use up the time of answers. */
const JOB_GRACE_MS = 2_000
const JOB_STOP_LIMIT_MS = JOB_GRACE_MS + 10_000

/**
 * Starts a worker: takes threads from the queue, answers their messages and delivers the answers.
 * @param model what answers instead of the configured model (the demo's recordings)
 */
export async function startWorker(
  context: WiringContext,
  signal: AbortSignal,
  model: LanguageModel = wireModel(context),
): Promise<Record<string, ReadinessCheck>> {
  const { config, logger, resources } = context
  const platforms = await wireChatPlatforms(context)
  // While the others are waited for.
  const warm = warmUp({ logger, outboxes: Object.values(platforms.destinations).map(({ outbox }) => outbox), signal })
  const redis = await wireRedis(context, 'worker', signal)
  const { destinations, checks } = guardDestinations(platforms.destinations, { redis, logger, now: Date.now })
  const store = createRedisStateStore(redis)
  const warehouse = await wireWarehouse(context, signal)
  const schemaSource = wireSchemaSource(context, { warehouse, store })
  const guard = await wireGuard(context, warehouse, signal)
  const parts = { warehouse, guard, store, model }
  const questionAnalyst = await wireAnalyst(context, { ...parts, schemaSource })
  const replays = resources.add('replay queue', createReplayQueue({ redis, now: Date.now, logger }), opened => opened.close())
  const lentSlots = new LentSlots()
  const replayer: Replayer = { replay: (...given) => lentSlots.during(replays.replay(...given)) }
  const analyst = await wireThreadAnalyst(context, { ...parts, analyst: questionAnalyst, replayer }, signal)
  const { desk, admission } = await wireAccess(context, { store, people: platforms.people })
  const access = createPressAccess(desk)
  const records = wireRecords(context, redis)
  const questions = new OpenQuestions({ store, now: Date.now })
  const intake = wireIntake(context, { redis, destinations, admission })
  const showClosed = createShowClosed({
    ...intake,
    records,
    replaceAnswer: createReplaceAnswer({ redis, destinations, logger }),
  })
  const answering = { analyst, questions, records, access, showClosed, now: Date.now }
  const created = createQueueWorker({
    redis,
    admission,
    answer: (accepted, run, own) => answerChatMessage(answering, accepted, run, own),
    destinations,
    concurrency: config.workerConcurrency,
    lentSlots,
    describeError: describeRunError,
    now: Date.now,
    logger,
  })
  const worker = resources.add('queue worker', created, opened => opened.close(STOP_GRACE_MS), STOP_LIMIT_MS)
  const handle = wirePresses(context, {
    redis,
    destinations,
    warehouse,
    records,
    questions,
    access,
    ...intake,
  })
  // Closed before the queue worker: an answer may take its time to end, a Stop of it is heard until then by other workers.
  const presses = resources.add('press worker', createPressWorker({ redis, handle, destinations, logger }), opened =>
    opened.close(PRESS_GRACE_MS),
  )
  await warm
  signal.throwIfAborted()
  await worker.start()
  signal.throwIfAborted()
  // What is closed before it may take a while, in which another worker can take what comes.
  signal.addEventListener('abort', () => worker.stopTaking(), { once: true })
  presses.start()
  for (const each of await wirePipelineWorkers(context, { redis, warehouse, cancellation: intake.cancellation }, signal)) {
    each.start()
    resources.add('pipeline worker', each, opened => opened.close(JOB_GRACE_MS), JOB_STOP_LIMIT_MS)
  }
  logger.info({ threads: config.workerConcurrency }, 'worker started')
  return {
    ...checks,
    redis: () => redisAnswers(redis),
    warehouse: () => warehouse.read({ sql: 'SELECT 1', timeoutMs: 2_000 }, AbortSignal.timeout(3_000)).then(() => true),
  }
}

/** Runs scheduled jobs and replays in this process, from Redis' queues. */
async function wirePipelineWorkers(
  context: WiringContext,
  parts: { readonly redis: RedisClient; readonly warehouse: Warehouse; readonly cancellation: RunCancellation },
  signal: AbortSignal,
): Promise<readonly PipelineWorker[]> {
  const { redis, cancellation } = parts
  const { config, logger } = context
  const writer = config.pipelines.writerUrl === undefined ? parts.warehouse : await wireWriter(context, signal)
  const { pipelines } = wirePipelines(context, writer)
  return [
    createPipelineSchedule({ redis, pipelines, logger }),
    createReplayWorker({ redis, pipelines, cancellation, now: Date.now, logger }),
  ]
}

/** `clew worker`: one worker, until stopped. */
export async function workerCommand(context: CommandContext): Promise<number> {
  requireParts(context.config, ['chat', 'redis', 'warehouse', 'model'])
  return serveUntilStopped(context, () => startWorker(context, context.signal))
}
