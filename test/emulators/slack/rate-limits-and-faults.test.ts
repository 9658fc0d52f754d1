import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { webApi } from '@slack/bolt'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import { createWebClient } from './web-client.ts'

let slack: SlackEmulator
let client: webApi.WebClient
let general: string

beforeEach(async () => {
  slack = await startSlackEmulator({ clock: 'stopped' })
  client = createWebClient(slack)
  general = slack.channel('general').id
})

afterEach(() => slack.close())

const post = () => client.chat.postMessage({ channel: general, text: 'hello' })

describe('rate limits', () => {
  it('allow a short burst, then one post per second and channel', async () => {
    for (let count = 0; count < SLACK_LIMITS.postBurst; count += 1) await post()
    await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_rate_limited_error', retryAfter: 1 })
    await client.chat.postMessage({ channel: slack.channel('secret').id, text: 'another channel goes on' })
    slack.clock.advance(1_000)
    await post()
    await expect(post()).rejects.toMatchObject({ retryAfter: 1 })
    expect(slack.transcript('general')).toHaveLength(SLACK_LIMITS.postBurst + 1)
  })

  it('allow 50 updates a minute in all channels', async () => {
    const { ts } = await post()
    const update = (text: string) => client.chat.update({ channel: general, ts: ts ?? '', text })
    for (let count = 0; count < SLACK_LIMITS.tierPerMinute[3]; count += 1) await update(`edit ${count}`)
    await expect(update('one too many')).rejects.toMatchObject({ retryAfter: 2 })
    slack.clock.advance(2_000)
    await update('in time')
    expect(slack.transcript('general')[0]?.text).toBe('in time')
  })

  it('can be relaxed', async () => {
    slack.enforceRateLimits(false)
    await Promise.all(Array.from({ length: 20 }, post))
    expect(slack.transcript('general')).toHaveLength(20)
  })
})

describe('an injected fault', () => {
  it('429 has the given Retry-After and affects one call', async () => {
    slack.faults.rateLimit('chat.postMessage', 30)
    await expect(post()).rejects.toMatchObject({ retryAfter: 30 })
    await post()
    expect(slack.calls('chat.postMessage').map(call => call.outcome)).toEqual(['ratelimited', 'ok'])
  })

  it('500 and 503 are HTTP errors', async () => {
    slack.faults.httpError('chat.postMessage', 500)
    slack.faults.httpError('chat.postMessage')
    await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_http_error', statusCode: 500 })
    await expect(post()).rejects.toMatchObject({ statusCode: 503 })
    expect(slack.transcript('general')).toEqual([])
  })

  it('a lost answer stores the message and breaks the connection', async () => {
    slack.faults.loseAnswer('chat.postMessage')
    await expect(post()).rejects.toMatchObject({ code: 'slack_webapi_request_error' })
    expect(slack.transcript('general')).toMatchObject([{ text: 'hello' }])
    expect(slack.calls('chat.postMessage')).toMatchObject([{ outcome: 'lost' }])
  })

  it('a held call waits for its release, a delayed one for the clock', async () => {
    const release = slack.faults.hold('chat.postMessage')
    const held = post()
    await slack.waitFor(() => slack.calls('chat.postMessage').length === 1)
    expect(slack.transcript('general')).toEqual([])
    release()
    await held

    slack.faults.delay('chat.postMessage', 60_000)
    const delayed = post()
    await slack.waitFor(() => slack.calls('chat.postMessage').length === 2)
    expect(slack.transcript('general')).toHaveLength(1)
    slack.clock.advance(60_000)
    await delayed
    expect(slack.transcript('general')).toHaveLength(2)
  })

  it('a refusal has the given code', async () => {
    slack.faults.refuse('chat.postMessage', 'restricted_action')
    await expect(post()).rejects.toMatchObject({ data: { error: 'restricted_action' } })
  })
})

describe('waitFor', () => {
  it('rejects with a readable transcript', async () => {
    slack.user('alice').post('general', 'Anybody there?')
    const wait = slack.waitFor(() => slack.transcript('general').find(message => message.isFromBot), { timeoutMs: 20 })
    await expect(wait).rejects.toThrow(/#general[\s\S]*alice: Anybody there\?/)
  })
})
