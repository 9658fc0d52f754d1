import { describe, expect, it } from '@jest/globals'
import { createLogger } from '../base/logger.ts'
import { startHealthServer } from './health-server.ts'

const logger = createLogger({ level: 'silent' })

describe('health server', () => {
  it('is healthy, and ready when every part is', async () => {
    let connected = false
    const server = await startHealthServer({
      port: 0,
      checks: { slack: () => connected, redis: () => Promise.reject(new Error('away')) },
      logger,
    })
    try {
      const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`)
      expect((await get('/health')).status).toBe(200)
      const before = await get('/ready')
      expect([before.status, await before.json()]).toEqual([503, { status: 'not ready', parts: { slack: false, redis: false } }])
      connected = true
      expect(await (await get('/ready')).json()).toMatchObject({ parts: { slack: true } })
    } finally {
      await server.close()
    }
  })

  it('shows states of parts that do not keep it from being ready', async () => {
    const server = await startHealthServer({ port: 0, checks: { redis: () => true, 'source crm': () => 'open' }, logger })
    try {
      const ready = await fetch(`http://127.0.0.1:${server.port}/ready`)
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', parts: { redis: true, 'source crm': 'open' } }])
    } finally {
      await server.close()
    }
  })

  it('serves one additional path, and no other', async () => {
    const server = await startHealthServer({ port: 0, checks: {}, logger })
    try {
      server.serve('/events', (request, response) => response.end(request.method))
      const post = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST' })
      expect(await (await post('/events?retry=1')).text()).toBe('POST')
      expect((await post('/events/more')).status).toBe(404)
      expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200)
    } finally {
      await server.close()
    }
  })

  it('listens on one address alone, if it is given', async () => {
    const server = await startHealthServer({ port: 0, host: '127.0.0.1', checks: {}, logger })
    try {
      expect((await fetch(`http://127.0.0.1:${server.port}/health`)).status).toBe(200)
      await expect(fetch(`http://127.0.0.2:${server.port}/health`)).rejects.toThrow()
    } finally {
      await server.close()
    }
  })

  it('names a taken port and the variable', async () => {
    const first = await startHealthServer({ port: 0, checks: {}, logger })
    try {
      await expect(startHealthServer({ port: first.port, checks: {}, logger })).rejects.toThrow(
        `Port ${first.port} is taken: set PORT`,
      )
    } finally {
      await first.close()
    }
  })
})
