import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createLogger } from '../../base/logger.ts'
import { createSlackPersonSettings } from './person-settings.ts'

let server: Server
beforeEach(async () => {
  // The server accepts every call and never answers.
  server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

describe('createSlackPersonSettings', () => {
  it('does not delay an answer when Slack is slow', async () => {
    const { port } = server.address() as AddressInfo
    const client = {
      token: 'xoxb-1',
      apiUrl: `http://127.0.0.1:${port}/api/`,
      timeoutMs: 10_000,
      logger: createLogger({ level: 'silent' }),
    }
    const personOf = createSlackPersonSettings({ client, now: Date.now })
    const { signal } = new AbortController()
    const started = performance.now()
    expect(await personOf('U1', signal)).toEqual({})
    expect(performance.now() - started).toBeLessThan(9_800)
  })
})
