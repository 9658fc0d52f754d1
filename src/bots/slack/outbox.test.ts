import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import type { ChatErrorKind } from '../../chat/error.ts'
import type { ChatPlace } from '../../chat/event.ts'
import type { ChatOutbox } from '../../chat/platform.ts'
import { createSlackOutbox, type SlackOutboxOptions } from './outbox.ts'

let slack: SlackEmulator
let outbox: ChatOutbox
let place: ChatPlace
const signal = new AbortController().signal

function outboxWith(options: Partial<SlackOutboxOptions> = {}): ChatOutbox {
  return createSlackOutbox({ apiUrl: slack.apiUrl, botToken: slack.botToken, logger: pino({ level: 'silent' }), ...options })
}

async function answer(markdown: string) {
  return (await outbox.render({ kind: 'answer', markdown }))[0] ?? {}
}

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  outbox = outboxWith()
  const asked = slack.user('alice').post('general', `${slack.botMention} how many?`)
  place = { platform: 'slack', workspace: slack.teamId, channel: asked.channel, thread: asked.ts, isDirect: false }
})

afterEach(() => slack.close())

describe('a call that Slack refuses', () => {
  it.each<[string, ChatErrorKind]>([
    ['ratelimited', 'rate_limited'],
    ['internal_error', 'unavailable'],
    ['fatal_error', 'unavailable'],
    ['service_unavailable', 'unavailable'],
    ['channel_not_found', 'gone'],
    ['thread_not_found', 'gone'],
    ['message_not_found', 'removed'],
    ['not_in_channel', 'forbidden'],
    ['is_archived', 'forbidden'],
    ['restricted_action', 'forbidden'],
    ['token_revoked', 'authentication'],
    ['invalid_auth', 'authentication'],
    ['account_inactive', 'authentication'],
    ['missing_scope', 'authentication'],
  ])('%s is %s, and is made once', async (code, kind) => {
    slack.faults.refuse('chat.postMessage', code)
    await expect(outbox.post(place, await answer('42'), 'run-1', signal)).rejects.toMatchObject({
      kind,
      code: `chat_${kind}`,
      retryable: kind === 'rate_limited' || kind === 'unavailable',
    })
    expect(slack.calls('chat.postMessage')).toHaveLength(1)
  })

  it.each(['invalid_blocks', 'msg_too_long', 'msg_blocks_too_long', 'a_code_of_tomorrow'])(
    '%s is sent again in plain form, then rejected',
    async code => {
      slack.faults.refuse('chat.postMessage', code)
      slack.faults.refuse('chat.postMessage', code)
      await expect(outbox.post(place, await answer('**42**'), 'run-1', signal)).rejects.toMatchObject({
        kind: 'rejected',
        retryable: false,
      })
      expect(slack.calls('chat.postMessage')).toMatchObject([{ args: { blocks: [{}] } }, { args: { blocks: [], text: '42' } }])
    },
  )

  it.each<[number, ChatErrorKind]>([
    [500, 'unavailable'],
    [503, 'unavailable'],
    [408, 'unavailable'],
    [413, 'rejected'],
  ])('with HTTP status %d is %s', async (status, kind) => {
    slack.faults.httpError('chat.update', status)
    slack.faults.httpError('chat.update', status)
    await expect(outbox.edit(place, { id: place.thread }, await answer('42'), signal)).rejects.toMatchObject({ kind })
  })

  it('distinguishes an archived channel and a missing scope from the rest', async () => {
    const posted = await outbox.post(place, await answer('42'), 'run-1', signal)
    slack.archive('general')
    await expect(outbox.post(place, await answer('42'), 'run-2', signal)).rejects.toMatchObject({ kind: 'forbidden' })
    await expect(outbox.edit(place, posted, await answer('43'), signal)).rejects.toMatchObject({ kind: 'forbidden' })
  })

  it('makes no further attempt at a rate limit, and says how long to wait', async () => {
    slack.enforceRateLimits(true)
    const failures: unknown[] = []
    for (let index = 0; index < 8; index += 1)
      await outbox.post(place, await answer('42'), `run-${index}`, signal).catch((error: unknown) => failures.push(error))
    expect(failures.length).toBeGreaterThan(0)
    for (const failure of failures) expect(failure).toMatchObject({ kind: 'rate_limited', retryAfterMs: expect.any(Number) })
    expect(slack.calls('chat.postMessage')).toHaveLength(8)
  })
})

describe('a call that does not return', () => {
  it('is unavailable after its time limit', async () => {
    const release = slack.faults.hold('chat.postMessage')
    await expect(outboxWith({ timeoutMs: 50 }).post(place, await answer('42'), 'run-1', signal)).rejects.toMatchObject({
      kind: 'unavailable',
    })
    release()
    // Slack has stored the message, although the post has failed.
    await slack.waitFor(() => slack.transcript('general').some(message => message.isFromBot))
    expect(await outbox.find(place, 'run-1', signal)).toEqual([{ id: slack.transcript('general').at(-1)?.ts }])
  })

  it('is cancelled on abort', async () => {
    const release = slack.faults.hold('chat.postMessage')
    const stopping = new AbortController()
    const posting = outbox.post(place, await answer('42'), 'run-1', stopping.signal)
    await slack.waitFor(() => slack.calls('chat.postMessage').length === 1)
    stopping.abort()
    await expect(posting).rejects.toMatchObject({ kind: 'cancelled', retryable: false })
    release()
  })
})

describe('a request', () => {
  it('unfurls nothing, links no names, and carries the marker', async () => {
    await outbox.post(place, await answer('42'), 'run-1', signal)
    expect(slack.calls('chat.postMessage')[0]?.args).toMatchObject({
      thread_ts: place.thread,
      unfurl_links: 'false',
      unfurl_media: 'false',
      link_names: 'false',
      parse: 'none',
      metadata: { event_type: 'clew_reply', event_payload: { marker: 'run-1' } },
    })
  })

  it('keeps the marker and drops old blocks in a plain edit', async () => {
    const posted = await outbox.post(place, await answer('**42**'), 'run-1', signal)
    slack.faults.refuse('chat.update', 'invalid_blocks')
    await outbox.edit(place, posted, await answer('43'), signal)
    expect(slack.transcript('general').at(-1)).toMatchObject({
      text: '43',
      blocks: [],
      metadata: { event_payload: { marker: 'run-1' } },
    })
  })

  it('is refused if its part was not rendered by this outbox', async () => {
    await expect(outbox.post(place, { text: '' }, 'run-1', signal)).rejects.toThrow()
    expect(slack.calls('chat.postMessage')).toHaveLength(0)
  })
})

describe('find', () => {
  it('searches a long thread page by page', async () => {
    for (let index = 0; index < 450; index += 1) slack.user('bob').post('general', `talk ${index}`, { thread: place.thread })
    const posted = await outbox.post(place, await answer('42'), 'run-1', signal)
    expect(await outbox.find(place, 'run-1', signal)).toEqual([posted])
    expect(slack.calls('conversations.replies').length).toBeGreaterThan(1)
  })

  it('accepts only its own posts', async () => {
    const robot = slack.addUser({ name: 'robot', isBot: true })
    const forged = { event_type: 'clew_reply', event_payload: { marker: 'run-1' } }
    slack.workspace.post(place.channel, {
      user: robot.id,
      botId: 'B0OTHER',
      text: '13',
      threadTs: place.thread,
      metadata: forged,
    })
    expect(await outbox.find(place, 'run-1', signal)).toEqual([])
  })

  it('reports a thread that is gone', async () => {
    await expect(outbox.find({ ...place, thread: '1700000000.000001' }, 'run-1', signal)).rejects.toMatchObject({ kind: 'gone' })
  })
})

describe('personOf', () => {
  it('asks once an hour', async () => {
    let now = 1_700_000_000_000
    const patient = outboxWith({ now: () => now })
    const alice = slack.user('alice').id
    expect(await patient.personOf(place, alice, signal)).toEqual({ timeZone: 'Europe/Berlin', language: 'en' })
    expect(await patient.personOf(place, alice, signal)).toEqual({ timeZone: 'Europe/Berlin', language: 'en' })
    expect(slack.calls('users.info')).toHaveLength(1)
    now += 61 * 60 * 1_000
    await patient.personOf(place, alice, signal)
    expect(slack.calls('users.info')).toHaveLength(2)
  })

  it("works without Slack's answer, or with a malformed one", async () => {
    slack.addUser({ name: 'eve', timeZone: 'Mars/Olympus', locale: 'de-AT' })
    expect(await outbox.personOf(place, slack.user('eve').id, signal)).toEqual({ language: 'de' })
    slack.faults.httpError('users.info', 503)
    expect(await outbox.personOf(place, slack.user('bob').id, signal)).toEqual({})
    expect(await outbox.personOf(place, slack.user('bob').id, signal)).toEqual({ timeZone: 'America/New_York', language: 'en' })
  })
})
