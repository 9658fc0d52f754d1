import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type DiscordEmulator, startDiscordEmulator } from '../../../test/emulators/discord/discord-emulator.ts'
import type { ChatErrorKind } from '../../chat/error.ts'
import type { ChatPlace, ChatPress } from '../../chat/event.ts'
import type { ChatOutbox, ChatTarget } from '../../chat/platform.ts'
import { DISCORD_LIMITS } from './limits.ts'
import { createDiscordOutbox, type DiscordOutboxOptions } from './outbox.ts'
import { registerDiscordCommands } from './receive/commands.ts'
import { createDiscordResponder } from './receive/responder.ts'
import { createDiscordCalls } from './rest.ts'

const CREATE = 'POST /channels/{channel}/messages'
const EDIT = 'PATCH /channels/{channel}/messages/{message}'
const FIFTEEN_MINUTES = 15 * 60_000

let discord: DiscordEmulator
let outbox: ChatOutbox
let place: ChatPlace
const signal = new AbortController().signal

function outboxWith(options: Partial<DiscordOutboxOptions> = {}): ChatOutbox {
  return createDiscordOutbox({
    apiUrl: discord.apiUrl,
    token: discord.botToken,
    applicationId: discord.appId,
    logger: pino({ level: 'silent' }),
    requestsPerSecond: 1_000,
    now: () => Date.now() + ahead,
    ...options,
  })
}
/** The emulator's clock is this many milliseconds ahead of this process. */
let ahead = 0
function advance(milliseconds: number): void {
  ahead += milliseconds
  discord.clock.advance(milliseconds)
}

const answer = async (markdown: string) => (await outbox.render({ kind: 'answer', markdown }))[0] ?? {}
const progress = async () => (await outbox.render({ kind: 'progress', lines: ['Reading'] }))[0] ?? {}

beforeEach(async () => {
  ahead = 0
  discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
  outbox = outboxWith()
  const asked = discord.user('alice').post('general', `${discord.botMention} how *many* users are there in <#1>?`)
  place = { platform: 'discord', workspace: discord.guild.id, channel: asked.channelId, thread: asked.id, isDirect: false }
})
afterEach(() => discord.close())

describe('the thread of an answer', () => {
  it('is created from the question, with its words as name, once', async () => {
    await outbox.post(place, await progress(), 'run-1', signal)
    await outbox.post(place, await answer('42'), 'run-2', signal)
    expect(discord.channel(place.thread)).toMatchObject({
      name: 'how many users are there in channel?',
      parentId: place.channel,
    })
    expect(discord.transcript(place.thread).map(message => message.plain)).toEqual(['Reading', '42'])
    expect(discord.calls('POST /channels/{channel}/messages/{message}/threads')).toHaveLength(1)
  })

  it.each([
    ['whole', 'x'.repeat(DISCORD_LIMITS.threadName), 'x'.repeat(DISCORD_LIMITS.threadName)],
    ['cut', 'x'.repeat(DISCORD_LIMITS.threadName + 1), `${'x'.repeat(DISCORD_LIMITS.threadName - 1)}…`],
  ])('has a name that is %s, on both sides of the limit', async (_, question, name) => {
    const asked = discord.user('alice').post('general', `${discord.botMention} ${question}`)
    await outbox.post({ ...place, thread: asked.id }, await progress(), 'run-1', signal)
    expect(discord.channel(asked.id)?.name).toBe(name)
  })

  it('is reused if another process has just created it', async () => {
    const release = discord.faults.hold('GET /channels/{channel}/messages/{message}')
    const posted = outbox.post(place, await progress(), 'run-1', signal)
    await discord.waitFor(() => discord.calls('GET /channels/{channel}/messages/{message}').length === 1)
    discord.user('bob').startThread({ id: place.thread, channelId: place.channel }, 'mine')
    release()
    const { id } = await posted
    expect(discord.transcript(place.thread)).toMatchObject([{ id, plain: 'Reading' }])
  })

  it('is not created for a deleted question', async () => {
    discord.removeMessage({ id: place.thread, channelId: place.channel })
    await expect(outbox.post(place, await progress(), 'run-1', signal)).rejects.toMatchObject({ kind: 'gone' })
  })
})

describe('a call that Discord refuses', () => {
  it.each<[number, number, ChatErrorKind]>([
    [10_003, 404, 'gone'],
    [10_008, 404, 'removed'],
    [50_001, 403, 'forbidden'],
    [50_013, 403, 'forbidden'],
    [160_005, 400, 'forbidden'],
    [99_999, 403, 'forbidden'],
    [99_999, 404, 'gone'],
    [99_999, 400, 'rejected'],
    [130_000, 503, 'unavailable'],
    [40_001, 401, 'authentication'],
  ])('%i with HTTP %i is %s', async (code, status, kind) => {
    const posted = await outbox.post(place, await progress(), 'run-1', signal)
    // If Discord refuses the rich form, the outbox sends the plain form, so the test refuses both.
    for (let times = 0; times < 2; times += 1) discord.faults.refuse(EDIT, { status, code, message: 'No' })
    await expect(outbox.edit(place, posted, await answer('42'), signal)).rejects.toMatchObject({
      kind,
      code: `chat_${kind}`,
      retryable: kind === 'unavailable',
    })
    expect(discord.calls(EDIT)).toHaveLength(kind === 'rejected' ? 2 : 1)
  })

  it("is made once, without waiting for Discord's limit or the client's own count", async () => {
    await outbox.post(place, await progress(), 'run-1', signal)
    discord.faults.rateLimit(CREATE, 1, 'global')
    await expect(outbox.post(place, await answer('42'), 'run-2', signal)).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 1_000,
    })
    const calls = discord.calls().length
    await expect(outbox.post(place, await answer('42'), 'run-2', signal)).rejects.toMatchObject({ kind: 'rate_limited' })
    expect(discord.calls()).toHaveLength(calls)
  })

  it('keeps using the token after one refusal', async () => {
    discord.faults.refuse(CREATE, { status: 401, code: 0, message: '401: Unauthorized' })
    await expect(outbox.post(place, await progress(), 'run-1', signal)).rejects.toMatchObject({ kind: 'authentication' })
    await outbox.post(place, await progress(), 'run-1', signal)
    expect(discord.transcript(place.thread)).toHaveLength(1)
  })
})

describe('a post that may exist', () => {
  it('is found by another process, even after an edit by a third one and long after its nonce expired', async () => {
    const posted = await outbox.post(place, await progress(), 'run_0123456789abcdef-1', signal)
    await outboxWith().edit(place, posted, await answer('42'), signal)
    advance(60 * 60_000)
    expect(await outboxWith().find(place, 'run_0123456789abcdef-1', signal)).toEqual([posted])
    const [message] = discord.transcript(place.thread)
    expect(message?.embeds).toEqual([expect.objectContaining({ url: 'https://discord.com/#run_0123456789abcdef-1' })])
  })

  it('is not repeated, and shows the latest text', async () => {
    const first = await outbox.post(place, await progress(), 'run-1', signal)
    const second = await outboxWith().post(place, await answer('42'), 'run-1', signal)
    expect(second).toEqual(first)
    expect(discord.transcript(place.thread)).toMatchObject([{ id: first.id, plain: '42' }])
  })

  it('is found after a hundred others', async () => {
    const posted = await outbox.post(place, await progress(), 'run-1', signal)
    for (let index = 0; index < 120; index += 1) discord.user('bob').post(place.thread, `message ${index}`)
    expect(await outbox.find(place, 'run-1', signal)).toEqual([posted])
  })

  it("is not confused with somebody else's post", async () => {
    await outbox.post(place, await progress(), 'run-1', signal)
    const robot = discord.addUser({ name: 'robot', isBot: true })
    robot.post(place.thread, 'https://discord.com/#run-2')
    expect(await outbox.find(place, 'run-2', signal)).toEqual([])
  })
})

describe('a message', () => {
  it('shows a graph as a picture with a description, and says so if it cannot be drawn', async () => {
    const table = { label: 'orders', kind: 'target', state: 'gone', rows: 3, failed: false, suspected: true } as const
    const chart = { kind: 'graph' as const, title: 'Lineage of orders', nodes: [table], edges: [] }
    const [part = {}] = await outbox.render({ kind: 'answer', markdown: '42', chart })
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const posted = await outboxWith({ drawChart: async () => png }).post(place, part, 'run-1', signal)
    const description = 'Lineage of orders, 1 table. The fault is suspected in orders. orders (suspected, target, gone, 3 rows).'
    const [shown] = discord.transcript(place.thread)
    expect(shown).toMatchObject({ plain: '42', files: [{ name: 'lineage.png', content: png, description }] })
    expect(shown?.embeds).toMatchObject([{ image: { url: expect.stringContaining('lineage.png') } }])
    await outboxWith({ drawChart: () => Promise.reject(new Error('no fonts')) }).edit(place, posted, part, signal)
    expect(discord.transcript(place.thread)).toMatchObject([
      { plain: expect.stringContaining('The picture cannot be shown here'), files: [] },
    ])
    const many = { ...chart, nodes: Array.from({ length: 60 }, () => table) }
    const [long = {}] = await outbox.render({ kind: 'answer', markdown: '42', chart: many })
    await outboxWith({ drawChart: async () => png }).edit(place, posted, long, signal)
    expect(discord.transcript(place.thread)).toMatchObject([{ files: [{ description: expect.stringMatching(/…$/) }] }])
  })

  it('shows its chart as a picture, and says so if it cannot be drawn', async () => {
    const chart = { kind: 'bar', title: 'Users', labels: ['a', 'b'], series: [{ name: 'n', values: [1, 2] }], unit: '' } as const
    const drawnFor: string[] = []
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const charted = { ...chart, labels: [...chart.labels], series: [{ name: 'n', values: [1, 2] }] }
    const [part = {}] = await outbox.render({ kind: 'answer', markdown: '42', chart: charted })
    const drawing = outboxWith({
      drawChart: async (_, { person }) => {
        drawnFor.push(person)
        return png
      },
    })
    const posted = await drawing.post(place, await progress(), 'run-1', signal)
    await drawing.prepare?.({ ...place, author: 'alice' }, part, signal)
    await drawing.edit(place, posted, part, signal)
    await drawing.edit(place, posted, part, signal)
    expect(discord.transcript(place.thread)).toMatchObject([{ plain: '42', files: [{ name: 'chart.png', content: png }] }])
    expect(drawnFor).toEqual(['discord/alice'])
    const failing = outboxWith({
      drawChart: () => {
        throw new Error('no fonts')
      },
    })
    await failing.edit(place, posted, part, signal)
    expect(discord.transcript(place.thread)).toMatchObject([{ plain: '42\n(this chart cannot be shown here)', files: [] }])
    const [german = {}] = await outbox.render({ kind: 'answer', markdown: '42', chart: { ...charted, language: 'de' } })
    await failing.edit(place, posted, german, signal)
    expect(discord.transcript(place.thread)).toMatchObject([{ plain: expect.stringContaining('lässt sich hier nicht zeigen') }])
  })
})

/** Uses `/ask` as a person and acknowledges the interaction as the surface does. */
async function asked(isPrivate: boolean) {
  const call = createDiscordCalls({ apiUrl: discord.apiUrl, token: discord.botToken, requestsPerSecond: 1_000 })
  await registerDiscordCommands(call, discord.appId, signal)
  const { id, token } = discord.user('alice').command('general', 'ask', { question: 'how many?' })
  const responder = createDiscordResponder(call, discord.appId)
  await responder.acknowledge({ id, token }, { response: 'message', isEphemeral: isPrivate }, signal)
  return { id, token, response: 'message' }
}

describe('a private answer', () => {
  let target: ChatTarget
  const forAlice = () => discord.transcript('general', { as: 'alice' }).filter(message => message.isFromBot)

  beforeEach(async () => {
    target = { ...place, thread: '1', author: discord.user('alice').id, isPrivate: true, interaction: await asked(true) }
  })

  it('replaces "thinking", only for its asker', async () => {
    const posted = await outbox.post(target, await progress(), 'run-1', signal)
    await outbox.edit(target, posted, await answer('42'), signal)
    await outbox.post(target, await answer('and more'), 'run-2', signal)
    expect(forAlice()).toMatchObject([
      { id: posted.id, plain: '42', isEphemeral: true, isLoading: false },
      { plain: 'and more', isEphemeral: true },
    ])
    expect(discord.transcript('general', { as: 'bob' }).filter(message => message.isFromBot)).toEqual([])
    expect(await outbox.find(target, 'run-2', signal)).toEqual([])
  })

  it('is removed with its question, wherever it is', async () => {
    const shown = await outbox.post(target, await progress(), 'run-1', signal)
    await outbox.remove(target, shown, signal)
    await outbox.remove(target, shown, signal)
    expect(forAlice()).toEqual([])
    const { interaction: _, ...byMessage } = target
    const direct = await outbox.post(byMessage, await progress(), 'run-2', signal)
    expect(discord.directTranscript('alice')).toHaveLength(1)
    await outbox.remove(byMessage, direct, signal)
    await outbox.remove(byMessage, direct, signal)
    expect(discord.directTranscript('alice')).toEqual([])
  })

  it('is found by its marker', async () => {
    const posted = await outbox.post(target, await progress(), 'run-1', signal)
    expect(await outbox.find(target, 'run-1', signal)).toEqual([posted])
  })

  it('is edited by its token while that is valid', async () => {
    const posted = await outbox.post(target, await progress(), 'run-1', signal)
    advance(DISCORD_LIMITS.tokenMs - 5_000)
    await outbox.edit(target, posted, await answer('42'), signal)
    expect(discord.directTranscript('alice')).toEqual([])
  })

  it('fault 14: comes by direct message once the token has expired, exactly once and without progress', async () => {
    const posted = await outbox.post(target, await progress(), 'run-1', signal)
    advance(FIFTEEN_MINUTES)
    await outbox.edit(target, posted, await progress(), signal)
    expect(discord.directTranscript('alice')).toEqual([])
    await outbox.edit(target, posted, await answer('42'), signal)
    await outbox.edit(target, posted, await answer('42'), signal)
    await outbox.post(target, await answer('and more'), 'run-2', signal)
    expect(discord.directTranscript('alice').map(message => message.plain)).toEqual(['42', 'and more'])
  })

  it('fault 14, 15: comes by direct message if Discord refuses the token', async () => {
    ahead = 0
    discord.clock.advance(FIFTEEN_MINUTES + 1_000)
    await outbox.post(target, await answer('42'), 'run-1', signal)
    expect(discord.directTranscript('alice').map(message => message.plain)).toEqual(['42'])
  })
})

describe('the reply to a press', () => {
  const reply = {
    markdown: '```sql\nSELECT 1\n```',
    files: [{ name: 'rows.csv', mediaType: 'text/csv', content: Buffer.from('a,b\n1,2') }],
  }
  let press: ChatPress

  beforeEach(async () => {
    const alice = discord.user('alice')
    const part =
      (await outbox.render({ kind: 'answer', markdown: '42', actions: [{ action: 'csv', runId: 'run_1', label: 'CSV' }] }))[0] ??
      {}
    const posted = await outbox.post(place, part, 'run-1', signal)
    const { id, token } = alice.press({ id: posted.id, channelId: place.thread }, { label: 'CSV' })
    const pressed = { action: 'csv', runId: 'run_1' } as const
    press = {
      place,
      pressId: id,
      order: 1,
      user: alice.id,
      pressed,
      messageId: posted.id,
      interaction: { id, token, response: 'message' },
    }
  })

  const acknowledge = (response: 'message' | 'update') => {
    const call = createDiscordCalls({ apiUrl: discord.apiUrl, token: discord.botToken })
    const { id = '', token = '' } = press.interaction
    const responder = createDiscordResponder(call, discord.appId)
    return responder.acknowledge({ id, token }, response === 'update' ? { response } : { response, isEphemeral: true }, signal)
  }
  const seenBy = (name: string) => discord.transcript(place.thread, { as: name }).filter(message => message.isFromBot)

  it('is visible only to the person who pressed, with its file', async () => {
    await acknowledge('message')
    await outbox.answerPress(press, reply, signal)
    expect(seenBy('alice')).toMatchObject([
      { plain: '42' },
      { plain: 'SELECT 1', isEphemeral: true, isLoading: false, files: [{ name: 'rows.csv', content: Buffer.from('a,b\n1,2') }] },
    ])
    expect(seenBy('bob')).toHaveLength(1)
  })

  it("leaves the button's message unchanged if nobody waits for a reply", async () => {
    await acknowledge('update')
    await outbox.answerPress(
      { ...press, interaction: { ...press.interaction, response: 'update' } },
      { markdown: 'Thank you' },
      signal,
    )
    expect(seenBy('alice')).toMatchObject([
      { plain: '42', buttons: [{ label: 'CSV' }] },
      { plain: 'Thank you', isEphemeral: true },
    ])
  })

  it('fault 14: comes by direct message after a quarter of an hour, or a sentence says that it cannot', async () => {
    await acknowledge('message')
    advance(FIFTEEN_MINUTES)
    await outbox.answerPress(press, reply, signal)
    expect(discord.directTranscript('alice')).toMatchObject([{ plain: 'SELECT 1', files: [{ name: 'rows.csv' }] }])
    expect(seenBy('bob')).toHaveLength(1)

    discord.user('alice').refuseDirectMessages()
    await outbox.answerPress({ ...press, pressId: '2', language: 'de' }, reply, signal)
    expect(seenBy('bob')).toMatchObject([
      {},
      { plain: expect.stringContaining('Bitte den Knopf noch einmal drücken'), pings: [press.user] },
    ])
    expect(JSON.stringify(seenBy('bob'))).not.toContain('SELECT')
  })
})
