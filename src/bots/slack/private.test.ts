import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { pings } from '../../../test/emulators/slack/rendered-message.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import type { ShownMessage } from '../../../test/emulators/slack/transcript.ts'
import type { ChatOutbox, ChatTarget } from '../../chat/platform.ts'
import type { Reply } from '../../chat/reply.ts'
import { createSlackOutbox, type SlackOutboxOptions } from './outbox.ts'

let slack: SlackEmulator
let outbox: ChatOutbox
let target: ChatTarget
let now: number
const signal = new AbortController().signal

function outboxWith(options: Partial<SlackOutboxOptions> = {}): ChatOutbox {
  return createSlackOutbox({
    apiUrl: slack.apiUrl,
    botToken: slack.botToken,
    logger: pino({ level: 'silent' }),
    now: () => now,
    ...options,
  })
}

async function show(reply: Reply, marker: string, from = outbox, to = target) {
  return from.post(to, (await from.render(reply))[0] ?? {}, marker, signal)
}

const working = { kind: 'progress', lines: ['Reading'] } as const
const answer = { kind: 'answer', markdown: '42' } as const

function direct(): readonly ShownMessage[] {
  return slack.transcript(slack.workspace.directChannel(slack.user('alice').id, slack.botUserId).id)
}

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  now = Date.now()
  outbox = outboxWith()
  const asked = slack.user('alice').post('general', `${slack.botMention} how many?`)
  target = {
    platform: 'slack',
    workspace: slack.teamId,
    channel: asked.channel,
    thread: asked.ts,
    isDirect: false,
    isPrivate: true,
    author: slack.user('alice').id,
  }
})

afterEach(() => slack.close())

describe('a private answer', () => {
  it('is in a direct thread, and one line in the channel tells only its author', async () => {
    const posted = await show(working, 'run-1')
    await outbox.edit(target, posted, (await outbox.render(answer))[0] ?? {}, signal)
    await show({ kind: 'notification', author: slack.user('alice').id }, 'run-0')
    const [root, first, notification] = direct()
    expect(root).toMatchObject({ threadTs: undefined, text: expect.stringContaining(`<#${target.channel}>`) })
    expect(first).toMatchObject({ threadTs: root?.ts, plain: '42', ts: posted.id })
    expect(notification).toMatchObject({ threadTs: root?.ts })
    expect(pings(notification ?? { text: '', blocks: [] })).toEqual([slack.user('alice').id])

    const inChannel = slack.transcript('general', { as: 'alice' }).slice(1)
    expect(inChannel).toMatchObject([
      { isEphemeral: true, threadTs: target.thread, text: expect.stringContaining('direct message') },
    ])
    expect(slack.transcript('general', { as: 'bob' })).toHaveLength(1)
  })

  it('can be found, edited and removed there, even by another process', async () => {
    const posted = await show(working, 'run-1')
    const other = outboxWith()
    expect(await other.find(target, 'run-1', signal)).toEqual([posted])
    expect(await other.find(target, 'run-2', signal)).toEqual([])
    await show(answer, 'run-2', outboxWith())
    await outboxWith().edit(target, posted, (await outbox.render(answer))[0] ?? {}, signal)
    expect(direct().map(message => message.plain)).toEqual([expect.stringContaining('privately'), '42', '42'])
    await outboxWith().remove(target, posted, signal)
    expect(direct()).toHaveLength(2)
    expect(slack.calls('chat.postEphemeral')).toHaveLength(1)
  })

  it('has one thread for each thread and author', async () => {
    await show(answer, 'run-1')
    await show(answer, 'run-2', outbox, { ...target, thread: slack.user('alice').post('general', 'and now?').ts })
    await show(answer, 'run-3', outbox, { ...target, author: slack.user('bob').id })
    expect(direct().filter(message => message.threadTs === undefined)).toHaveLength(2)
    expect(slack.transcript('general', { as: 'bob' }).filter(message => message.isEphemeral)).toHaveLength(1)
  })

  it('is searched without posting anything', async () => {
    expect(await outbox.find(target, 'run-1', signal)).toEqual([])
    await expect(
      outbox.edit(target, { id: target.thread }, (await outbox.render(answer))[0] ?? {}, signal),
    ).rejects.toMatchObject({
      kind: 'gone',
    })
    expect(direct()).toEqual([])
  })

  it('is streamed there, found by its marker meanwhile, and edited at the end', async () => {
    const { streams } = outbox
    const parts = streams?.render('There are 42. They are blue.') ?? []
    await show(working, 'run-1')
    expect([streams?.takes(target), streams?.takes({ ...target, isPrivate: false })]).toEqual([true, false])
    const posted = (await streams?.begin(target, parts.slice(0, 1), 'run-s', signal)) ?? { id: '' }
    await streams?.append(target, posted, parts.slice(1), signal)
    expect(direct().at(-1)).toMatchObject({ ts: posted.id, threadTs: direct()[0]?.ts, isStreaming: true })
    expect(direct().at(-1)?.plain).toMatch(/There are 42\.\s+They are blue\./)
    expect(await outboxWith().find(target, 'run-s', signal)).toEqual([posted])
    await streams?.end(target, posted, signal)
    await streams?.end(target, posted, signal)
    await outbox.edit(target, posted, (await outbox.render(answer))[0] ?? {}, signal)
    expect(direct().at(-1)).toMatchObject({ ts: posted.id, plain: '42', isStreaming: false })
    await outbox.remove(target, posted, signal)
    await streams?.end(target, posted, signal)
    expect(slack.transcript('general', { as: 'bob' })).toHaveLength(1)
  })

  it("stays in one thread even if Slack's response to its start was lost", async () => {
    slack.faults.loseAnswer('chat.postMessage')
    await expect(show(working, 'run-1')).rejects.toMatchObject({ kind: 'unavailable', retryable: true })
    const posted = await show(answer, 'run-1', outboxWith())
    expect(direct()).toMatchObject([{ threadTs: undefined }, { ts: posted.id, threadTs: direct()[0]?.ts, plain: '42' }])
  })

  it('is shown even if Slack refuses the line in the channel', async () => {
    slack.faults.refuse('chat.postEphemeral', 'user_not_in_channel')
    await show(answer, 'run-1')
    expect(direct()).toHaveLength(2)
  })

  it('reaches nobody else if its author cannot be reached', async () => {
    slack.faults.refuse('conversations.open', 'missing_scope')
    await expect(show(answer, 'run-1')).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(show(answer, 'run-1', outbox, { ...target, author: undefined })).rejects.toMatchObject({ kind: 'gone' })
    expect(slack.calls('chat.postMessage')).toHaveLength(0)
  })

  it('to a question in a direct message stays in its thread', async () => {
    const asked = slack.user('alice').directMessage('how many?')
    await show(answer, 'run-1', outbox, { ...target, channel: asked.channel, thread: asked.ts, isDirect: true })
    expect(direct()).toMatchObject([{}, { threadTs: asked.ts, plain: '42' }])
    expect(slack.calls('conversations.open')).toHaveLength(0)
  })
})

describe('a status', () => {
  let asked: { readonly channel: string; readonly ts: string }
  let place: ChatTarget
  const edit = async (posted: { readonly id: string }, reply: Reply) =>
    outbox.edit(place, posted, (await outbox.render(reply))[0] ?? {}, signal)

  beforeEach(() => {
    asked = slack.user('alice').directMessage('how many?')
    place = { ...target, isPrivate: false, channel: asked.channel, thread: asked.ts, isDirect: true }
  })

  it('shows in a direct conversation that an answer is being made, until it is there', async () => {
    const posted = await show(working, 'run-1', outbox, place)
    expect(slack.threadStatus(asked)).toBe('is thinking…')
    await edit(posted, working)
    expect(slack.calls('assistant.threads.setStatus')).toHaveLength(1)
    now += 100_000
    await edit(posted, working)
    expect(slack.calls('assistant.threads.setStatus')).toHaveLength(2)
    await edit(posted, answer)
    expect(slack.threadStatus(asked)).toBeUndefined()
  })

  it("is in the progress's language", async () => {
    const posted = await show(working, 'run-1', outbox, place)
    await edit(posted, { ...working, language: 'de' })
    expect(slack.threadStatus(asked)).toBe('überlegt…')
  })

  it('disappears when another process shows the answer', async () => {
    const posted = await show(working, 'run-1', outbox, place)
    await outboxWith().edit(place, posted, (await outbox.render(answer))[0] ?? {}, signal)
    expect(slack.threadStatus(asked)).toBeUndefined()
  })

  it('is not requested in channels, or again after a refusal', async () => {
    await show(working, 'run-1', outbox, { ...target, isPrivate: false })
    expect(slack.calls('assistant.threads.setStatus')).toHaveLength(0)
    slack.faults.refuse('assistant.threads.setStatus', 'channel_type_not_supported')
    const posted = await show(working, 'run-2', outbox, place)
    await edit(posted, answer)
    await show(working, 'run-3', outbox, place)
    expect(slack.calls('assistant.threads.setStatus')).toHaveLength(1)
  })
})
