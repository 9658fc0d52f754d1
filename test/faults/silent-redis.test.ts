import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, it } from '@jest/globals'
import { Redis } from 'ioredis'
import { createRecordWatcher } from '../../src/queue/record-watcher.ts'

it('limits the wait for an announcement if Redis accepts connections and stays silent', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const address = silent.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const redis = new Redis({ host: '127.0.0.1', port, lazyConnect: true, maxRetriesPerRequest: null })
  const watcher = createRecordWatcher(redis)
  let looks = 0
  const look = async () => {
    looks += 1
    return false
  }
  await watcher.wait('run', { timeoutMs: 50, look }, new AbortController().signal)
  expect(looks).toBe(1)
  await watcher.close()
  redis.disconnect()
  for (const socket of sockets) socket.destroy()
  silent.close()
})
