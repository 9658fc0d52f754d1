import type { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import { chooseAnswer } from '../bots/actions/choose-answer.ts'
import { downloadCsv } from '../bots/actions/download-csv.ts'
import { downloadDefinition } from '../bots/actions/download-definition.ts'
import { giveFeedback } from '../bots/actions/give-feedback.ts'
import type { PressAccess } from '../bots/actions/press-access.ts'
import { publishAnswer } from '../bots/actions/publish-answer.ts'
import { retryRun } from '../bots/actions/retry-run.ts'
import { RunRecords } from '../bots/actions/run-record.ts'
import { showSources } from '../bots/actions/show-sources.ts'
import { showSql } from '../bots/actions/show-sql.ts'
import { stopRun } from '../bots/actions/stop-run.ts'
import type { ActionName } from '../chat/action.ts'
import type { PressHandler } from '../chat/press-handler.ts'
import { createSqlFormatter } from '../clickhouse/sql-formatter.ts'
import { TurnEvents } from '../http/turn-events.ts'
import { AcceptedRuns } from '../queue/accept/accepted-runs.ts'
import { type Acceptor, createAcceptor } from '../queue/accept/acceptor.ts'
import type { Admission } from '../queue/accept/admission.ts'
import { createMessageReceiver, type MessageReceiver } from '../queue/accept/message-receiver.ts'
import { createPlaceholderPoster } from '../queue/accept/placeholder.ts'
import type { ChatDestination } from '../queue/deliver/chat-destination.ts'
import { createPublishReply } from '../queue/deliver/publish-reply.ts'
import { createIsRunOver } from '../queue/drain/is-run-over.ts'
import { createDrainQueue } from '../queue/drain-queue.ts'
import { createRecordWatcher, type RecordWatcher } from '../queue/record-watcher.ts'
import { createRunCancellation, type RunCancellation } from '../queue/run-cancellation.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import { askBelow, quietAlert } from '../subscriptions/alert-buttons.ts'
import { Subscriptions } from '../subscriptions/store.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { type WiringContext, wireFeedback } from './store.ts'

interface ChatQueueParts {
  readonly redis: RedisClient
  readonly destinations: Readonly<Record<string, ChatDestination>>
}

interface MessageReceiverNeeds extends ChatQueueParts {
  readonly admission: Admission
}

/** The parts that accept questions. Workers need them too, because a press on "Try again" repeats a question. */
export interface MessageReceiverParts {
  readonly receiver: MessageReceiver
  readonly acceptor: Acceptor
  readonly runs: AcceptedRuns
  readonly cancellation: RunCancellation
  readonly watcher: RecordWatcher
}

export function wireMessageReceiver(
  context: WiringContext,
  { redis, destinations, admission }: MessageReceiverNeeds,
): MessageReceiverParts {
  const { logger, resources } = context
  const { acceptor, runs, watcher, cancellation } = wireAcceptor(context, redis)
  const placeholders = createPlaceholderPoster({ redis, admission, destinations, watcher, now: Date.now, logger })
  const receiver = resources.add('message receiver', createMessageReceiver({ acceptor, placeholders }), opened => opened.close())
  return { receiver, acceptor, runs, cancellation, watcher }
}

/** Builds the parts that write messages to the queue and cancel their runs. */
export function wireAcceptor({ config, logger, resources }: WiringContext, redis: RedisClient) {
  const runs = new AcceptedRuns({
    store: createRedisStateStore(redis),
    retentionSeconds: config.retention.results,
    key: redis.stateKey,
  })
  const queue = resources.add('drain queue', createDrainQueue({ redis, logger }), opened => opened.close())
  const watcher = resources.add('record watcher', createRecordWatcher(redis), opened => opened.close())
  const acceptor = createAcceptor({ redis, queue, runs, now: Date.now, logger })
  return { acceptor, queue, runs, watcher, cancellation: createRunCancellation(redis, watcher) }
}

/** Builds the handlers of buttons, and the records of answers that they read. */
export function wirePresses(
  context: WiringContext,
  parts: ChatQueueParts &
    MessageReceiverParts & {
      readonly warehouse: Warehouse
      readonly records: RunRecords
      readonly access: PressAccess
      readonly questions: OpenQuestions
    },
): PressHandler {
  const { redis } = parts
  const deps = {
    ...parts,
    formatSql: createSqlFormatter(parts.warehouse),
    publishReply: createPublishReply(parts),
    isRunOver: createIsRunOver(redis),
    subscriptions: new Subscriptions({ redis, now: Date.now }),
    now: Date.now,
  }
  const feedback = wireFeedback(context, createRedisStateStore(redis))
  const handlers: Readonly<Record<ActionName, PressHandler>> = {
    sources: showSources(deps),
    sql: showSql(deps),
    csv: downloadCsv(deps),
    yaml: downloadDefinition(deps),
    helpful: giveFeedback('helpful', { ...deps, feedback }),
    unhelpful: giveFeedback('unhelpful', { ...deps, feedback }),
    stop: stopRun(deps),
    retry: retryRun(deps),
    publish: publishAnswer(deps),
    choose: chooseAnswer(deps),
    acknowledge: quietAlert('acknowledged', deps),
    snooze: quietAlert('snoozed', deps),
    why: askBelow('why', deps),
    repeat: askBelow('repeat', deps),
  }
  return (press, signal) => handlers[press.pressed.action](press, signal)
}

export function wireTurnEvents({ config, logger }: WiringContext, redis: RedisClient): TurnEvents {
  return new TurnEvents({ redis, retentionMs: config.retention.results * 1000, logger })
}

export function wireRecords({ config }: WiringContext, redis: RedisClient): RunRecords {
  return new RunRecords({ store: createRedisStateStore(redis), retentionSeconds: config.retention.results })
}
