import type { Analyst } from '../agent/analyst.ts'
import { OpenQuestions } from '../agent/ask-back/open-questions.ts'
import type { Replayer } from '../agent/lineage/replayer.ts'
import { answerChatMessage } from '../bots/actions/answer-chat-message.ts'
import { createPressAccess } from '../bots/actions/press-access.ts'
import { createShowClosed } from '../bots/actions/show-closed.ts'
import type { PressHandler } from '../chat/press-handler.ts'
import type { RunList } from '../console/run-list.ts'
import { answerTurn } from '../http/answer-turn.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { admitTokens } from '../http/token-admission.ts'
import { Tokens } from '../http/tokens.ts'
import { createTurnDestination } from '../http/turn-destination.ts'
import type { AcceptedMessage } from '../queue/accept/accepted-message.ts'
import { guardDestinations } from '../queue/deliver/guard-destinations.ts'
import { createReplaceAnswer } from '../queue/deliver/replace-answer.ts'
import type { DrainPartsDeps } from '../queue/drain/drain-parts.ts'
import { createReplayQueue } from '../queue/jobs/replay-queue.ts'
import type { RunCancellation } from '../queue/run-cancellation.ts'
import type { Caps } from '../queue/usage/caps.ts'
import { analystWithinCaps, modelWithinCaps, pressWithinCaps } from '../queue/usage/within-caps.ts'
import type { RedisClient } from '../store/redis/client.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import { answerDue } from '../subscriptions/answer-due.ts'
import { answerSubscriptionsCommand } from '../subscriptions/chat-command.ts'
import { keepFor } from '../subscriptions/keep-subscription.ts'
import { pauseUnreachable } from '../subscriptions/steer.ts'
import { Subscriptions } from '../subscriptions/store.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { wireAccess } from './access.ts'
import { assemble } from './assemble.ts'
import { wireCaps } from './caps.ts'
import type { ChatPlatforms } from './chat-platforms.ts'
import { wireMessageReceiver, wirePresses, wireRecords, wireTurnEvents } from './chat-queue.ts'
import { modelWithContent, wireRunList } from './console.ts'
import { wireModel, wireWarehouse } from './parts.ts'
import { observing, type WiringContext } from './store.ts'

export interface Answering {
  readonly message: DrainPartsDeps
  readonly handlePress: PressHandler
  readonly warehouse: Warehouse
  readonly cancellation: RunCancellation
  /** For each platform, by its name: whether the platform accepts Clew's token. */
  readonly checks: Readonly<Record<string, () => boolean>>
}

/** The parts that a process, which also answers without a queue, shares with its worker. */
interface GivenAnswering {
  readonly caps: Caps
  readonly warehouse: Warehouse
  readonly analyst: Pick<Analyst, 'ask'>
  readonly list: RunList
}

/**
 * Wires everything that a worker or a lone process needs to answer messages and presses.
 * @param replayerOver wraps the replayer that puts replays into a queue; default: it is used as it is
 * @param given the parts that the caller has opened; default: the configuration gives them
 */
export async function wireAnswering(
  context: WiringContext,
  {
    platforms,
    redis,
    replayerOver,
    given,
  }: {
    readonly platforms: ChatPlatforms
    readonly redis: RedisClient
    readonly replayerOver?: (replays: Replayer) => Replayer
    readonly given?: GivenAnswering
  },
  signal: AbortSignal,
): Promise<Answering> {
  const { logger, resources } = context
  const { destinations, checks } = guardDestinations(platforms.destinations, {
    redis,
    logger,
    now: Date.now,
    breakers: context.breakers,
    ...observing(context),
  })
  const store = createRedisStateStore(redis)
  // A process that serves may begin before anything has been loaded.
  const warehouse = given?.warehouse ?? (await wireWarehouse(context, signal, { createsFolder: true }))
  const caps = given?.caps ?? wireCaps(context, redis)
  const list = given?.list ?? wireRunList(context, redis)
  const replays = resources.add('replay queue', createReplayQueue({ redis, now: Date.now, logger }), opened => opened.close())
  const replayer = replayerOver?.(replays) ?? replays
  const assembled = async () => {
    const model = modelWithContent(context, store, modelWithinCaps(caps, wireModel(context)))
    return (await assemble(context, { warehouse, store, model, replayer }, signal)).analyst
  }
  const whole = given?.analyst ?? (await assembled())
  const { accessControl, policy, admission: ofPeople } = await wireAccess(context, { store, people: platforms.people })
  const admission = admitTokens(ofPeople, { tokens: new Tokens({ redis, now: Date.now }), rules: { policy, accessControl } })
  const access = createPressAccess(accessControl)
  const records = wireRecords(context, redis)
  const questions = new OpenQuestions({ store, now: Date.now })
  const receiverParts = wireMessageReceiver(context, { redis, destinations, admission })
  const replaceAnswer = createReplaceAnswer({ redis, destinations, logger })
  const showClosed = createShowClosed({ ...receiverParts, records, replaceAnswer })
  const events = wireTurnEvents(context, redis)
  const analyst = analystWithinCaps(caps, whole)
  const subscriptions = new Subscriptions({ redis, now: Date.now })
  const ofSubscriptions = { keepFor: (accepted: AcceptedMessage) => keepFor(subscriptions, accepted), now: Date.now }
  const answering = { analyst, questions, records, access, showClosed, events, ...ofSubscriptions }
  const answerTurnOf = answerTurn(answering)
  const answerListed = list.answering(async (accepted, run, own) => {
    if (accepted.message.place.platform === HTTP_PLATFORM) return answerTurnOf(accepted, run, own)
    const listed = await answerSubscriptionsCommand(subscriptions, accepted, own)
    return listed ?? answerChatMessage(answering, accepted, run, own)
  })
  return {
    message: {
      redis,
      admission,
      accept: message => receiverParts.acceptor.accept(message),
      answer: async (accepted, run, own) => {
        if (accepted.message.due === undefined) return answerListed(accepted, run, own)
        // Most due runs have nothing to say, and are listed by their subscription alone.
        const reply = await answerDue({ ...answering, subscriptions, watcher: whole, accessControl }, accepted, run, own)
        return reply && list.answering(async () => reply)(accepted, run, own)
      },
      whenUnreachable: pauseUnreachable(subscriptions),
      destinations,
      direct: { [HTTP_PLATFORM]: createTurnDestination({ events, store, retentionSeconds: context.config.retention.results }) },
      ...observing(context),
      now: Date.now,
      logger,
    },
    handlePress: pressWithinCaps(
      caps,
      wirePresses(context, { redis, destinations, warehouse, records, questions, access, ...receiverParts }),
    ),
    warehouse,
    cancellation: receiverParts.cancellation,
    checks,
  }
}
