import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { SaidMessage } from '../../src/chat/platform.contract.ts'
import type { AnswerMessage } from '../../src/queue/drain/answer-message.ts'
import type { Delivery } from '../emulators/slack/socket-mode.ts'
import { type AnsweringBot, startAnsweringBot } from '../support/answering-bot.ts'
import { startTestRedis, type TestRedis } from '../support/redis.ts'
import { createSlackWorld } from '../support/slack-platform-world.ts'

// Faults between Slack's events and Clew. The numbers refer to the fault matrix.

let redis: TestRedis
let world: Awaited<ReturnType<typeof createSlackWorld>>
let bot: AnsweringBot

beforeAll(async () => {
  redis = await startTestRedis()
})
afterAll(() => redis.close())

const answer: AnswerMessage = async ({ message }) => ({ kind: 'answer', markdown: `answer to ${message.text}` })
const ask = (text: string, replyTo?: SaidMessage) =>
  world.say(text, { mentions: ['bot'], ...(replyTo === undefined ? {} : { replyTo }) })
const seen = ({ place }: SaidMessage) => world.seen(place).map(({ text }) => text)
const isAnswered = (said: SaidMessage, ...texts: readonly string[]) =>
  world.waitFor(() => texts.every(text => seen(said).includes(`answer to ${text}`)))
const eventsOf = ({ messageId }: SaidMessage): readonly Delivery[] =>
  [...world.slack.socket.deliveries, ...world.slack.http.deliveries].filter(
    ({ payload }) => JSON.parse(JSON.stringify(payload)).event?.ts === messageId,
  )

describe.each(['socket', 'http'] as const)("Slack's events over %s", over => {
  beforeEach(async () => {
    world = await createSlackWorld(over)
    bot = await startAnsweringBot(world, { platform: 'slack', redis, answer })
  })
  afterEach(async () => {
    await bot.close()
    await world.close()
  })

  /** Sends an acknowledged event again, as a Slack that did not get the acknowledgement. */
  async function redeliver(delivery: Delivery): Promise<void> {
    if (over === 'http') expect(await world.slack.http.send(JSON.stringify(delivery.payload))).toBe(200)
    else world.slack.socket.redeliver(delivery)
  }

  it('fault 1, 2: a message has one answer, whichever events report it and however often', async () => {
    const question = ask('how many?')
    await isAnswered(question, 'how many?')
    const events = eventsOf(question)
    expect(events.map(({ payload }) => JSON.parse(JSON.stringify(payload)).event.type).sort()).toEqual(['app_mention', 'message'])
    for (const event of [...events, ...events]) await redeliver(event)
    await world.waitFor(() => events.every(({ state }) => state === 'acknowledged'))
    const next = ask('and then?', question)
    await isAnswered(question, 'and then?')
    await bot.untilDone(next.place)
    expect(seen(question)).toEqual(['answer to how many?', 'answer to and then?'])
  })

  it('fault 10: neither its own messages nor those of other bots are answered', async () => {
    const question = ask('how many?')
    await isAnswered(question, 'how many?')
    const robot = world.slack.user('robot')
    const said = [
      robot.post('data', `${world.slack.botMention} how many?`),
      robot.post('data', `${world.slack.botMention} sure?`, { thread: question.place.thread }),
      robot.post('data', 'I say so.', { thread: question.place.thread }),
    ]
    const last = ask('and you?', question)
    await isAnswered(question, 'and you?')
    await bot.untilDone(last.place)
    await world.waitFor(() => said.every(({ deliveries }) => deliveries.every(({ state }) => state === 'acknowledged')))
    expect(seen(question)).toEqual(['answer to how many?', 'answer to and you?'])
    expect(world.everything()).toHaveLength(2)
  })

  it('fault 11: an edited message is no new question, with or without a mention', async () => {
    const question = ask('how many?')
    const talk = world.say('good morning')
    await isAnswered(question, 'how many?')
    world.changeOwn(question, 'how many today?')
    world.changeOwn(talk, 'how many?')
    const last = ask('and you?', question)
    await isAnswered(question, 'and you?')
    await bot.untilDone(last.place)
    expect(seen(question)).toEqual(['answer to how many?', 'answer to and you?'])
    expect(world.everything()).toHaveLength(2)
  })
})

describe("Slack's events over a socket", () => {
  beforeEach(async () => {
    world = await createSlackWorld('socket')
    bot = await startAnsweringBot(world, { platform: 'slack', redis, answer })
  })
  afterEach(async () => {
    await bot.close()
    await world.close()
  })

  it('fault 3: replies that arrive before their parent are answered, in the order of writing', async () => {
    world.slack.socket.hold()
    const question = ask('one')
    world.say('two', { replyTo: question })
    world.say('three', { replyTo: question })
    world.slack.socket.release(held => held.toReversed())
    await isAnswered(question, 'one', 'two', 'three')
    expect(seen(question)).toEqual(['answer to one', 'answer to two', 'answer to three'])
  })

  it.each(['warning', 'refresh_requested', 'too_many_websockets', 'drop'] as const)(
    'fault 1, 6: an event during the end of a connection (%s) is answered once, when Slack repeats it',
    async reason => {
      const { slack } = world
      const before = ask('before')
      await isAnswered(before, 'before')
      if (reason === 'drop') slack.socket.drop()
      else slack.socket.disconnect(reason)
      const during = [ask('during'), ask('too')]
      await world.waitFor(() => slack.socket.openedConnections() === 2 && slack.socket.connections().length === 1)
      // Slack notices a dead connection when an acknowledgement is missing. If no connection can be opened, its third attempt comes a minute
      // later.
      slack.clock.advance(reason === 'drop' ? 4_000 : 61_000)
      await world.waitFor(() => during.every(said => seen(said).length > 0))
      await Promise.all(during.map(said => bot.untilDone(said.place)))
      expect(during.map(seen)).toEqual([['answer to during'], ['answer to too']])
      expect(seen(before)).toEqual(['answer to before'])
      expect(slack.socket.openedConnections()).toBe(2)
    },
  )
})
