import { describe, expect, it } from '@jest/globals'
import { RunError } from '../agent/run/error.ts'
import { createLogger } from '../base/logger.ts'
import type { Callers } from '../http/callers.ts'
import { Problem } from '../http/problem.ts'
import type { Observation } from '../telemetry/observation.ts'
import { ConsoleApp } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import { addLineageRoutes } from './lineage.ts'
import { CONSOLE_ROUTES } from './routes.ts'

/** Opens a console where the header `Person` signs somebody in. */
function openConsole() {
  const seen: Observation[] = []
  const callers = {
    checkOrigin: ({ headers }: Request) => {
      if (headers.has('Origin')) throw new Problem(403, 'cross_site', 'Not from here.')
    },
    bySession: async ({ headers }: Request) => ({
      token: { id: 'tok_1', person: headers.get('Person') },
      access: { kind: 'granted', roles: [] },
    }),
  } as unknown as Callers
  const logger = createLogger({ level: 'silent' })
  const app = new ConsoleApp({ callers, policy: undefined, logger, observe: observation => seen.push(observation) })
  const send = (method: string, path: string, headers: Record<string, string> = { Person: 'terminal/ann' }) =>
    app.fetch(new Request(`http://localhost/console/api/${path}`, { method, headers }))
  return { app, send, seen }
}

describe('the routes of the console', () => {
  it('serve a few requests of a person at a time, refuse too many, and let nobody else wait', async () => {
    const { app, send } = openConsole()
    let served = 0
    let release = () => {}
    const released = new Promise<void>(done => {
      release = done
    })
    app.add('GET /console/api/runs', async ({ viewer }) => {
      if (viewer.person === 'terminal/bob') return {}
      served += 1
      await released
      return {}
    })
    const sent = Array.from({ length: CONSOLE_LIMITS.requestsOfPerson + 10 }, () => send('GET', 'runs'))
    const bob = await send('GET', 'runs', { Person: 'terminal/bob' })
    expect([bob.status, served]).toEqual([200, CONSOLE_LIMITS.servedOfPerson])
    const refused = await send('GET', 'runs')
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5'])
    release()
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses.filter(status => status === 200)).toHaveLength(CONSOLE_LIMITS.requestsOfPerson)
    expect(statuses.filter(status => status === 429)).toHaveLength(10)
    expect((await send('GET', 'runs')).status).toBe(200)
  })

  it('report each change as a press, also one that fails', async () => {
    const { app, send, seen } = openConsole()
    app.add('POST /console/api/data/proposals/:id/accept', () => ({}))
    app.add('POST /console/api/data/proposals/:id/decline', () => {
      throw new Problem(409, 'decided', 'Somebody has accepted it already.')
    })
    app.add('GET /console/api/data/proposals', () => ({}))
    await send('POST', 'data/proposals/1/accept')
    await send('POST', 'data/proposals/1/decline')
    await send('GET', 'data/proposals')
    const press = { kind: 'press', platform: 'console' }
    expect(seen).toEqual([
      { ...press, action: 'accept_proposal', outcome: 'answered' },
      { ...press, action: 'decline_proposal', outcome: 'failed' },
    ])
  })

  it('of lineage read nothing for somebody whose cap is reached', async () => {
    const { app, send } = openConsole()
    let opened = 0
    addLineageRoutes(app, {
      drawer: { place: () => Promise.reject(new Error('placed')) },
      countQuery: async () => {
        throw RunError.capReached('cap_reached', () => 'You have used all.')
      },
      lineage: async () => {
        opened += 1
        throw new Error('opened')
      },
    })
    const paths = Object.keys(CONSOLE_ROUTES).flatMap(route => /lineage.*/.exec(route) ?? [])
    for (const path of paths) {
      const response = await send('GET', `${path}?value=x&column=x&key=x`)
      expect([response.status, await response.json()]).toEqual([429, expect.objectContaining({ code: 'cap_reached' })])
    }
    expect([paths.length, opened]).toEqual([6, 0])
  })

  it('mark refusals as nothing to keep', async () => {
    const { send } = openConsole()
    const { status, headers } = await send('POST', 'session', { Origin: 'http://evil.example' })
    expect([status, headers.get('Cache-Control'), headers.get('X-Content-Type-Options')]).toEqual([403, 'no-store', 'nosniff'])
  })
})
