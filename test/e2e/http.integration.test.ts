import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { HTTP_LIMITS } from '../../src/http/limits.ts'
import { QUEUE_LIMITS } from '../../src/queue/limits.ts'
import { createGate } from '../emulators/gate.ts'
import { answer, status } from '../emulators/model/model-scripts.ts'
import type { ClewProcess } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { createToken, HttpClient, type SentEvent, sentEvents, startServe } from '../support/http-client.ts'
import { until } from '../support/queue-harness.ts'
import { runClew } from '../support/run-clew.ts'
import { scriptedAnalyst } from '../support/scripted-analyst.ts'

const BOTH = 'Explain how many devices and links there are.'
const HELD = 'Explain how many devices there are.'
const MANY = Array.from({ length: 200 }, (_, index) => `Say hello to number ${index}.`)
const PIECES = Array.from({ length: 12 }, (_, index) => `Fact ${'abcdefghijkl'[index]} is that there are 42 devices [Q1]. `)
const devices = { 'Count the devices.': ['SELECT count() AS devices FROM dz_devices'] }
const book = {
  [BOTH]: {
    queries: { ...devices, 'Count the links.': ['SELECT count() AS links FROM dz_links'] },
    answer: 'There are **42 devices** [Q1] and 64 links [Q2].',
  },
  [HELD]: { queries: devices, answer: PIECES.join('') },
  'How many are there?': { clarification: { question: 'How many of what?', choices: ['Devices', 'Metros'] } },
  Devices: { standalone: 'How many devices are there?', queries: devices, answer: 'There are 42 devices [Q1].' },
  Metros: {
    standalone: 'How many metros are there?',
    queries: { 'Count the metros.': ['SELECT count() AS metros FROM dz_metros'] },
    answer: 'There are metros [Q1].',
  },
  ...Object.fromEntries(MANY.map(text => [text, { intent: 'conversational', reply: `Hello: ${text}` }])),
}
/** No chat platform is configured. */
const NO_CHAT = { SLACK_BOT_TOKEN: '', SLACK_APP_TOKEN: '', SLACK_API_URL: '' }

let world: ClewWorld
let env: Readonly<Record<string, string>>
let worker: ClewProcess
let server: ClewProcess
let url: string
let client: HttpClient
let token: string

beforeAll(async () => {
  world = await startClewWorld(book)
  env = { ...world.env, ...NO_CHAT }
  const [started, { bearer }] = await Promise.all([startServe(env), createToken(env, '--rate', '100000', '--name', 'tests')])
  ;({ process: server, url } = started)
  token = bearer
  client = new HttpClient(url, token)
  worker = await world.startWorker(NO_CHAT)
})
afterEach(() => world.intercept(undefined))
afterAll(async () => {
  await server?.stop()
  await world?.close()
})

/** Holds the model's answer to a question from a piece on, until the gate opens. */
function hold(piece: number): { readonly open: () => void; readonly isAsked: () => boolean } {
  const analyst = scriptedAnalyst(book)
  const gate = createGate()
  let isAsked = false
  world.intercept(call => {
    const given = analyst(call)
    if (call.step !== 'synthesize' || typeof given !== 'string') return answer(given)
    isAsked = true
    return answer(given, { pieces: PIECES, hold: { piece, until: gate.opened } })
  })
  return { open: gate.open, isAsked: () => isAsked }
}

describe('a turn over HTTP', () => {
  it('is accepted, answered by a worker, and told in events', async () => {
    const accepted = await client.send('POST', '/v1/turns', { thread: 'both', text: BOTH })
    const id = String(accepted.body.id)
    expect(accepted.status).toBe(202)
    expect(accepted.headers.get('location')).toBe(`/v1/turns/${id}`)
    expect(accepted.body).toMatchObject({ thread: 'both', text: BOTH, result: null, error: null })

    const events: SentEvent[] = []
    for await (const event of client.events(id)) events.push(event)
    const kinds = events.map(({ event }) => event)
    expect(new Set(kinds)).toEqual(new Set(['start', 'plan', 'query', 'rows', 'sentences', 'answer', 'end']))
    expect(kinds.slice(-2)).toEqual(['answer', 'end'])
    const turn = (await client.send('GET', `/v1/turns/${id}`)).body
    expect(turn).toMatchObject({ id, status: 'answered', run_id: id, error: null })
    expect(turn.result).toMatchObject({ run_id: id, answer: expect.stringContaining('64 links [Q2]') })
    expect(events.at(-2)?.data).toEqual(turn)

    const { body } = await client.send('GET', '/v1/threads/both')
    expect(body).toEqual({
      id: 'both',
      turns: [expect.objectContaining({ id, status: 'answered', answer: expect.stringContaining('42 devices') })],
    })
    const trace = (await client.send('GET', `/v1/runs/${id}/trace`)).body
    expect(trace.log).toEqual(expect.arrayContaining([expect.objectContaining({ step: 'synthesize', error: null })]))
  })

  it('fault 17: is told in one event that the model is busy, and in one that it goes on', async () => {
    const analyst = scriptedAnalyst(book)
    let failures = 0
    world.intercept(call => {
      const isBusy = ['classify', 'decompose'].includes(call.step) && failures++ < 4
      return isBusy ? status(529, { headers: { 'retry-after': '1' } }) : answer(analyst(call))
    })
    const id = await client.ask(BOTH)
    const events: SentEvent[] = []
    for await (const event of client.events(id)) events.push(event)
    const notice = (is_over: boolean) => ({ notice: 'model_busy', is_over })
    expect(events.filter(({ event }) => event === 'notice').map(({ data }) => data)).toEqual([notice(false), notice(true)])
    expect(events.at(-2)).toMatchObject({ event: 'answer', data: { status: 'answered' } })
  })

  it('streams its events to whoever posts it, and has none after the end', async () => {
    const body = JSON.stringify({ text: MANY[0] })
    const response = await client.fetch('/v1/turns', { method: 'POST', body, headers: { Accept: 'text/event-stream' } })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events: SentEvent[] = []
    for await (const event of sentEvents(response)) events.push(event)
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'answered' } })
    const turn = String(events.at(-2)?.data.id)
    const headers = { Accept: 'text/event-stream', 'Last-Event-ID': events.at(-1)?.id ?? '' }
    expect((await client.fetch(`/v1/turns/${turn}`, { headers })).status).toBe(204)
  })

  it('is asked back, and goes on with a choice or with words', async () => {
    for (const choose of [true, false]) {
      const asked = await client.ask('How many are there?')
      const turn = await client.ended(asked)
      expect(turn).toMatchObject({
        status: 'asked',
        result: { interrupt: { choices: [{ label: 'Devices' }, { label: 'Metros' }] } },
      })
      const next = choose
        ? await client.send('POST', '/v1/turns', { choice: { turn: asked, index: 1 } })
        : await client.send('POST', '/v1/turns', { thread: turn.thread, text: 'Metros' })
      expect(next.body).toMatchObject({ thread: turn.thread, text: 'Metros' })
      const result = { answer: expect.stringContaining('metros [Q1]') }
      expect(await client.ended(String(next.body.id))).toMatchObject({ status: 'answered', result })
      if (!choose) continue
      const again = await client.send('POST', '/v1/turns', { choice: { turn: asked, index: 1 } })
      expect(again.body).toMatchObject({ id: next.body.id, status: 'answered' })
      expect((await client.send('POST', '/v1/turns', { choice: { turn: asked, index: 0 } })).status).toBe(409)
    }
  })

  it('says where reports and alerts can be set up, if it asks for them by a command', async () => {
    const turn = await client.ended(await client.ask('/subscriptions'))
    const message = expect.stringContaining('Reports and alerts are set up in Slack or Discord')
    expect(turn).toMatchObject({ status: 'failed', error: { kind: 'only_in_chats', message } })
  })

  it('is not lost if its thread is full, and takes no place in the list', async () => {
    const post = (index: number) =>
      client.send('POST', '/v1/turns', { thread: 'full', text: MANY[index] }, { 'Idempotency-Key': `full-${index}` })
    const statuses: number[] = []
    for (let index = 0; index < QUEUE_LIMITS.mostTurns + 4; index += 1) statuses.push((await post(index)).status)
    expect(statuses.filter(status => status === 202)).toHaveLength(QUEUE_LIMITS.mostTurns + 1)
    const last = QUEUE_LIMITS.mostTurns + 3
    const refused = await post(last)
    expect(refused).toMatchObject({ status: 429, body: { code: 'thread_full' } })
    expect(Number(refused.headers.get('retry-after'))).toBe(QUEUE_LIMITS.turnsMs / 1000)
    const { body } = await client.send('GET', '/v1/threads/full')
    expect((body.turns as readonly { text: string }[]).map(({ text }) => text)).not.toContain(MANY[last])
  })

  it('is told in events only to whoever accepts them', async () => {
    const turn = await client.ask(MANY[1] ?? '')
    await client.ended(turn)
    const typeFor = async (accept: string) => {
      const response = await client.fetch(`/v1/turns/${turn}`, { headers: { Accept: accept } })
      await response.text()
      return response.headers.get('content-type')
    }
    for (const accept of ['text/event-stream', 'application/json, text/event-stream', 'text/event-stream;q=0.1, */*'])
      expect([accept, await typeFor(accept)]).toEqual([accept, 'text/event-stream'])
    for (const accept of ['application/json, text/event-stream;q=0', 'text/event-stream; q=0.0', '*/*', 'application/json'])
      expect([accept, await typeFor(accept)]).toEqual([accept, 'application/json'])
  })

  it('is asked for by HEAD without taking a stream', async () => {
    const id = await client.ask(MANY[3] ?? '')
    await client.ended(id)
    const head = () => client.fetch(`/v1/turns/${id}`, { method: 'HEAD', headers: { Accept: 'text/event-stream' } })
    for (let index = 0; index <= HTTP_LIMITS.streamsOfToken; index += 1) expect((await head()).status).toBe(200)
    const events: SentEvent[] = []
    for await (const event of client.events(id)) events.push(event)
    expect(events.at(-1)?.event).toBe('end')
  })

  it('is one turn for one key, and a key is for one turn', async () => {
    const headers = { 'Idempotency-Key': 'order-66' }
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => client.send('POST', '/v1/turns', { text: MANY[1] }, headers)),
    )
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    const id = String(replies[0]?.body.id)
    await client.ended(id)
    expect((await client.send('POST', '/v1/turns', { text: MANY[1] }, headers)).body).toMatchObject({ id, status: 'answered' })
    expect(await client.send('POST', '/v1/turns', { text: MANY[2] }, headers)).toMatchObject({
      status: 422,
      body: { code: 'key_used' },
    })
  })

  it('gives each event once, however often the stream is cut off', async () => {
    const held = hold(1)
    const id = await client.ask(HELD)
    const seen: SentEvent[] = []
    const last = () => seen.at(-1)?.id ?? '0-0'
    for (let cut = 0; cut < 10; cut += 1) {
      // Some connections get events that come while they are open, and others only earlier ones.
      if (cut === 5) held.open()
      const cutting = new AbortController()
      let left = Math.floor(Math.random() * 3)
      setTimeout(() => cutting.abort(), Math.random() * 150)
      for await (const event of client.events(id, { after: last(), signal: cutting.signal })) {
        seen.push(event)
        left -= 1
        if (left < 0) break
      }
      cutting.abort()
    }
    for await (const event of client.events(id, { after: last() })) seen.push(event)
    const whole: SentEvent[] = []
    for await (const event of client.events(id)) whole.push(event)
    expect(seen).toEqual(whole)
    expect(whole.filter(({ event }) => event === 'sentences').length).toBeGreaterThan(1)
    expect(new Set(whole.map(event => event.id)).size).toBe(whole.length)
  })

  it('gives each event once, although its worker is killed while it answers', async () => {
    const held = hold(3)
    const id = await client.ask(HELD)
    const events: SentEvent[] = []
    for await (const event of client.events(id)) {
      events.push(event)
      if (event.event !== 'sentences' || !held.isAsked()) continue
      if (events.filter(each => each.event === 'sentences').length > 1) continue
      await worker.kill()
      held.open()
      worker = await world.startWorker(NO_CHAT)
    }
    expect(events.slice(-2)).toMatchObject([{ event: 'answer', data: { id, status: 'answered' } }, { event: 'end' }])
    const contents = events.map(({ event, data }) => JSON.stringify([event, data]))
    expect(new Set(contents).size).toBe(contents.length)
    for (const kind of ['start', 'rows', 'query']) expect(events.filter(({ event }) => event === kind)).toHaveLength(1)
  })

  it('is stopped by DELETE', async () => {
    const held = hold(0)
    const id = await client.ask(HELD)
    await until('the answer is being written', async () => held.isAsked())
    expect((await client.send('GET', `/v1/turns/${id}`)).body).toMatchObject({ status: 'running' })
    expect((await client.send('DELETE', `/v1/turns/${id}`)).status).toBe(202)
    expect(await client.ended(id)).toMatchObject({
      status: 'stopped',
      result: null,
      error: { kind: 'stopped', message: expect.not.stringContaining(id) },
    })
    held.open()
    expect((await client.send('DELETE', `/v1/turns/${id}`)).body).toMatchObject({ status: 'stopped' })
  })

  it('goes on when its client disconnects', async () => {
    const held = hold(0)
    const body = JSON.stringify({ text: HELD })
    const leaving = new AbortController()
    const init = { method: 'POST', body, headers: { Accept: 'text/event-stream' }, signal: leaving.signal }
    const response = await client.fetch('/v1/turns', init)
    const id = response.headers.get('location')?.split('/').at(-1) ?? ''
    await until('the answer is being written', async () => held.isAsked())
    leaving.abort()
    held.open()
    expect(await client.ended(id)).toMatchObject({ status: 'answered' })
  })
})

describe('a request', () => {
  it('needs a token that is neither revoked nor expired', async () => {
    const { bearer, id } = await createToken(env)
    const other = new HttpClient(url, bearer)
    const turn = await other.ask(MANY[3] ?? '')
    await other.ended(turn)
    expect((await runClew(['tokens', 'revoke', id], env)).status).toBe(0)
    for (const token of [bearer, `${bearer.slice(0, -1)}?`, 'clew_0000000000000000_x', '']) {
      const { status, headers, body } = await new HttpClient(url, token).send('GET', `/v1/turns/${turn}`)
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'unauthorized', status: 401 } })
      expect(headers.get('content-type')).toBe('application/problem+json')
    }
    expect((await runClew(['tokens', 'revoke', id], env)).status).toBe(1)
    const { status, errors } = await runClew(['tokens', 'revoke', bearer], env)
    expect(status).toBe(2)
    expect(errors).toContain('tok_')
    expect(errors).not.toContain(bearer)
  })

  it('gets nothing more on an open stream once its token is revoked', async () => {
    const held = hold(0)
    const { bearer, id } = await createToken(env)
    const other = new HttpClient(url, bearer)
    const turn = await other.ask(HELD)
    const kinds: string[] = []
    for await (const { event } of other.events(turn)) {
      kinds.push(event)
      if (event !== 'rows') continue
      await runClew(['tokens', 'revoke', id], env)
      held.open()
    }
    expect(kinds.at(-1)).toBe('problem')
    expect(kinds).not.toContain('answer')
    expect(server.log.join()).not.toContain(bearer)
  })

  it('gets no answer if its token is revoked before a worker takes it', async () => {
    await worker.stop()
    const { bearer, id } = await createToken(env)
    const turn = await new HttpClient(url, bearer).ask(MANY[4] ?? '')
    await runClew(['tokens', 'revoke', id], env)
    worker = await world.startWorker(NO_CHAT)
    const redis = await world.redis.connect()
    const key = `clew:{http/${id}/${id}/thr_${turn.slice(4)}}:run:${turn}`
    const final = async () => (await redis.hget(key, 'final')) ?? ''
    await until('the turn is over', async () => (await final()) !== '')
    expect(await final()).toContain('"kind":"changed"')
    expect(await final()).not.toContain('Hello')
  })

  it('finds nothing of another token', async () => {
    const turn = await client.ask(MANY[5] ?? '', { thread: 'own' })
    await client.ended(turn)
    const { bearer } = await createToken(env)
    const other = new HttpClient(url, bearer)
    const paths = [`/v1/turns/${turn}`, '/v1/threads/own', `/v1/runs/${turn}/trace`, '/v1/turns/run_0123456789abcdef']
    for (const path of paths) expect((await other.send('GET', path)).status).toBe(404)
    expect((await other.send('DELETE', `/v1/turns/${turn}`)).status).toBe(404)
    expect((await other.send('POST', '/v1/turns', { choice: { turn, index: 0 } })).status).toBe(404)
    const events = await other.fetch(`/v1/turns/${turn}`, { headers: { Accept: 'text/event-stream' } })
    expect(events.status).toBe(404)
  })

  it('is refused with a problem if it is too large, of a wrong form, or too soon', async () => {
    const problem = async (body: string, code: string, status: number) => {
      const response = await client.fetch('/v1/turns', { method: 'POST', body })
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({ status, code, type: `urn:clew:problem:${code}` })
    }
    await problem(JSON.stringify({ text: 'x'.repeat(200_000) }), 'too_large', 413)
    await problem(JSON.stringify({ text: 'x'.repeat(9_000) }), 'invalid_request', 400)
    await problem('{', 'invalid_request', 400)
    await problem('{}', 'invalid_request', 400)
    await problem(JSON.stringify({ text: 'hi', thread: '../x' }), 'invalid_request', 400)
    const body = JSON.stringify({ text: 'x'.repeat(200_000) })
    expect((await new HttpClient(url, 'clew_no').fetch('/v1/turns', { method: 'POST', body })).status).toBe(401)
    const { bearer } = await createToken(env, '--rate', '2')
    const slow = new HttpClient(url, bearer)
    const replies = []
    for (const text of MANY.slice(0, 3)) replies.push(await slow.send('POST', '/v1/turns', { text }))
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 429])
    expect(Number(replies[2]?.headers.get('retry-after'))).toBeGreaterThan(50)
  })

  it('says what was expected instead of a wrong body, path or method', async () => {
    for (const body of [{ question: 'x' }, { text: 'x', choice: { turn: 'run_0123456789abcdef', index: 0 } }, [1]]) {
      const { status, body: problem } = await client.send('POST', '/v1/turns', body)
      expect({ status, problem }).toMatchObject({
        status: 400,
        problem: { mistakes: [{ path: '', message: expect.stringContaining('{"text": "…"} or {"choice"') }] },
      })
    }
    expect(await client.send('POST', '/v1/turns', { text: ' ' })).toMatchObject({
      status: 400,
      body: { mistakes: [{ path: 'text', message: 'must not be empty' }] },
    })
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await client.send('POST', '/v1/turns', { text: 'x' }, form)).toMatchObject({ status: 415, body: { code: 'not_json' } })
    const wrong = await client.send('GET', '/v1/turns')
    expect(wrong).toMatchObject({ status: 405, body: { code: 'wrong_method' } })
    expect(wrong.headers.get('allow')).toBe('POST')
    for (const path of ['/v1/nothing', '/nothing']) {
      const { status, headers, body } = await client.send('GET', path)
      expect({ status, body }).toMatchObject({
        status: 404,
        body: { code: 'not_found', detail: expect.not.stringContaining('token') },
      })
      expect(headers.get('content-type')).toBe('application/problem+json')
    }
  })

  it('is described, and health is served beside it', async () => {
    const described = (await (await fetch(`${url}/openapi.json`)).json()) as {
      readonly paths: object
      readonly components: { readonly schemas: object }
    }
    expect(described.components.schemas).toMatchObject({
      Turn: { properties: { result: { anyOf: [{ $ref: '#/components/schemas/Result' }, { type: 'null' }] } } },
      Result: { type: 'object', properties: { queries: { type: 'array' } } },
      TurnEvents: { properties: { query: { required: expect.arrayContaining(['ok', 'row_count']) } } },
      Problem: { properties: { mistakes: { type: 'array' } } },
    })
    expect(described.paths).toMatchObject({ '/v1/turns': { post: { operationId: 'submitTurn' } } })
    const ofSubscriptions = ['', '/{id}', '/{id}/{steering}'].map(path => `/v1/subscriptions${path}`)
    const ofTurns = ['/v1/turns', '/v1/turns/{id}', '/v1/threads/{id}', '/v1/runs/{id}/trace']
    expect(Object.keys(described.paths)).toEqual([...ofSubscriptions, ...ofTurns])
    expect((await fetch(`${url}/health`)).status).toBe(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    expect((await fetch(`${url}/v1/turns`, { method: 'OPTIONS' })).headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('a server that is stopped', () => {
  it('ends its streams, and another one goes on with them', async () => {
    const held = hold(0)
    const turn = await client.ask(HELD)
    const seen: SentEvent[] = []
    for await (const event of client.events(turn)) {
      seen.push(event)
      if (event.event === 'rows') expect(await server.stop()).toBe(0)
    }
    ;({ process: server, url } = await startServe(env))
    client = new HttpClient(url, token)
    held.open()
    for await (const event of client.events(turn, { after: seen.at(-1)?.id ?? '' })) seen.push(event)
    expect(seen.at(-1)).toMatchObject({ event: 'end', data: { status: 'answered' } })
  })
})

describe('two hundred turns at once', () => {
  it('are all answered, although one of two workers is killed', async () => {
    const other = await world.startWorker(NO_CHAT)
    const turns = await Promise.all(MANY.map(text => client.ask(text)))
    const statusOf = async (id: string) => (await client.send('GET', `/v1/turns/${id}`)).body.status
    const answered = async () => (await Promise.all(turns.map(statusOf))).filter(status => status === 'answered').length
    await until('some are answered', async () => (await answered()) > 20)
    await other.kill()
    const before = await answered()
    const begun = Date.now()
    await until('all are answered', async () => (await answered()) === MANY.length, 120_000)
    console.info(`killed after ${before} answers; the rest took ${Date.now() - begun} ms`)
    const results = await Promise.all(turns.map(async id => (await client.send('GET', `/v1/turns/${id}`)).body.result))
    expect(results).toEqual(MANY.map(text => expect.objectContaining({ answer: `Hello: ${text}` })))
  }, 240_000)
})
