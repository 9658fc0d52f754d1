import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { slackSignature } from './http-events.ts'
import { readBody } from './request-body.ts'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'

let slack: SlackEmulator
let server: Server
let onHeard: () => void
let heard: { readonly headers: IncomingHttpHeaders; readonly body: string }[]
/** The app's answer to a request. If it returns undefined, the app does not answer at all. */
let answer: (
  body: string,
) => { readonly status: number; readonly text?: string; readonly headers?: Record<string, string> } | undefined

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed', clock: 'stopped' })
  heard = []
  onHeard = () => {}
  answer = () => ({ status: 200 })
  server = createServer(async (request, response) => {
    const body = (await readBody(request)).toString()
    heard.push({ headers: request.headers, body })
    onHeard()
    const { status, text, headers } = answer(body) ?? {}
    if (status !== undefined) response.writeHead(status, headers).end(text)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  slack.http.sendTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`)
})

afterEach(async () => {
  await slack.close()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const hear = (count: number) =>
  new Promise<void>(resolve => {
    onHeard = () => {
      if (heard.length >= count) resolve()
    }
    onHeard()
  })
const retries = () => heard.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']])

describe('requests to the Request URL', () => {
  it("are signed as in Slack's documentation", () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    expect(slackSignature('8f742231b10e8888abcd99yyyzzz85a5', '1531420618', body)).toBe(
      'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    )
  })

  it('are acknowledged by 200, and contain the post', async () => {
    const sent = slack.user('alice').post('general', 'hello')
    await slack.waitFor(() => sent.deliveries.every(({ state }) => state === 'acknowledged'))
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ type: 'event_callback', event: { type: 'message', text: 'hello' } })
    const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = heard[0]?.headers ?? {}
    expect(signature).toBe(slackSignature(slack.http.signingSecret, String(timestamp), heard[0]?.body ?? ''))
    expect(retries()).toEqual([[undefined, undefined]])
    expect(slack.socket.deliveries).toEqual([])
  })

  it('are repeated at once, after 1 and after 5 minutes, with number and reason', async () => {
    answer = () => ({ status: 500 })
    const [delivery] = slack.user('alice').post('general', 'hello').deliveries
    await slack.waitFor(() => delivery?.attempts.length === 2 && delivery.attempts[1]?.status === 500)
    answer = () => undefined
    slack.clock.advance(60_000)
    await hear(3)
    slack.clock.advance(3_000)
    await slack.waitFor(() => slack.clock.waiting() === 1)
    slack.clock.advance(300_000)
    await hear(4)
    slack.clock.advance(3_000)
    await slack.waitFor(() => delivery?.state === 'given_up')
    expect(retries()).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
      ['3', 'http_timeout'],
    ])
  })

  it('are not repeated if the app refuses that', async () => {
    answer = () => ({ status: 500, headers: { 'x-slack-no-retry': '1' } })
    const [delivery] = slack.user('alice').post('general', 'hello').deliveries
    await slack.waitFor(() => delivery?.state === 'given_up')
    expect(heard).toHaveLength(1)
  })

  it('contain commands as forms, whose answer is shown', async () => {
    answer = () => ({ status: 200, text: 'Ask me something.' })
    const delivery = slack.user('alice').command('general', '/ask', 'how many users?')
    await slack.waitFor(() => delivery.state === 'acknowledged')
    expect(Object.fromEntries(new URLSearchParams(heard[0]?.body))).toMatchObject({ command: '/ask', text: 'how many users?' })
    expect(slack.transcript('general', { as: 'alice' })).toMatchObject([{ plain: 'Ask me something.' }])
    expect(slack.transcript('general', { as: 'bob' })).toEqual([])
  })

  it('verify the address with a challenge', async () => {
    answer = body => ({ status: 200, text: JSON.parse(body).challenge })
    expect(await slack.http.verifyUrl()).toBe(true)
    answer = () => ({ status: 200, text: '{"challenge":"another"}' })
    expect(await slack.http.verifyUrl()).toBe(false)
    answer = body => ({ status: 404, text: JSON.parse(body).challenge })
    expect(await slack.http.verifyUrl()).toBe(false)
  })
})
