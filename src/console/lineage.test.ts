import { expect, it } from '@jest/globals'
import type { Context } from 'hono'
import { RunError } from '../agent/run/error.ts'
import type { ConsoleApp, ConsoleEnv } from './app.ts'
import { addLineageRoutes } from './lineage.ts'

it('reads nothing for somebody whose cap is reached', async () => {
  const handlers: ((context: Context<ConsoleEnv>) => Promise<Response> | Response)[] = []
  const app = { add: (_: string, handler: (typeof handlers)[number]) => handlers.push(handler) } as unknown as ConsoleApp
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
  const req = { param: () => 'run', query: () => ({ value: 'x', column: 'x', key: 'x' }) }
  const context = { req, get: () => ({ access: undefined }) } as unknown as Context<ConsoleEnv>
  for (const handler of handlers)
    await expect(Promise.resolve().then(() => handler(context))).rejects.toMatchObject({ status: 429, code: 'cap_reached' })
  expect([handlers.length, opened]).toEqual([6, 0])
})
