import { expect, it } from '@jest/globals'
import { Hono } from 'hono'
import { createLogger } from '../base/logger.ts'
import type { HttpEnv } from './app.ts'
import { eventStreams } from './event-stream.ts'
import { Problem } from './problem.ts'
import type { Caller, StoredTurn } from './turn-client.ts'

const token = { id: 'tok_1', name: null, role: null, rate: 1, created_at: 0, expires_at: 1 }
const caller: Caller = { token, access: { kind: 'granted', roles: [], mayPublish: false, isPrivate: false } }
const common = { id: 'run_1', thread: 't', text: 'How many?', run_id: 'run_1', answer: 'Two.', error: null, stored: null }
const turn: StoredTurn = { ...common, status: 'answered' }

const stopping = new AbortController()

/** Requests a stream whose turn is written in this way. `env` is what the server gives. */
function requested(write: (piece: (text: string) => Promise<unknown>) => Promise<void>, env = {}) {
  async function* events() {
    yield { id: '1-0', kind: 'answer', data: null } as const
  }
  const respond = eventStreams({
    turns: { find: async () => turn, follow: async () => events() },
    bodies: (_, out) => write(text => out(Buffer.from(text))),
    logger: createLogger({ level: 'silent' }),
    signal: stopping.signal,
  })
  const app = new Hono<HttpEnv>().get('/', context => {
    context.set('caller', caller)
    context.set('callerNow', async () => caller)
    return respond(context, () => turn.id)
  })
  return app.request('/', {}, env)
}

const streamed: (...given: Parameters<typeof requested>) => Promise<string> = async (...given) =>
  (await requested(...given)).text()

it('writes a turn in pieces as one event', async () => {
  const text = await streamed(async out => {
    await out('{"id":')
    await out('1}')
  })
  expect(text).toBe('event: answer\ndata: {"id":1}\nid: 1-0\n\n')
})

it('tells a turn that has no place by a problem alone', async () => {
  const text = await streamed(async () => {
    throw Problem.busy('too_many_results', 'Too many.')
  })
  expect(text).toMatch(/^event: problem\ndata: \{.*"code":"too_many_results".*\}\n\n$/)
})

it('breaks off a connection whose reader takes nothing', async () => {
  await new Promise<void>(destroy => {
    requested(async () => undefined, { outgoing: { destroy } })
    stopping.abort()
  })
})
