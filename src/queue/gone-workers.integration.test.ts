import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Queue, Worker } from 'bullmq'
import { until } from '../../test/support/queue-harness.ts'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { freeFromGoneWorkers } from './gone-workers.ts'

let server: TestRedis
beforeAll(async () => {
  server = await startTestRedis()
})
afterAll(() => server.close())

const never = () => new Promise<void>(() => undefined)

async function openWorker(queue: string, process = never) {
  const redis = await server.connect()
  const name = randomUUID()
  // The lock lasts longer than the test, so only the check itself can free the job.
  const worker = new Worker(queue, process, { connection: redis, prefix: '{clew}', name, lockDuration: 600_000 })
  worker.on('error', () => undefined)
  return { redis, worker, name }
}

it('frees a job once its worker has no connection, and never one that is connected', async () => {
  const name = `gone-${randomUUID()}`
  const redis = await server.connect()
  const queue = new Queue(name, { connection: redis, prefix: '{clew}' })
  const first = await openWorker(name)
  const job = await queue.add('work', {})
  const lock = `${queue.toKey(job.id ?? '')}:lock`
  await until('the job is taken', async () => (await redis.exists(lock)) === 1)
  const second = await openWorker(name)
  await until('a connection is 3 s old', async () => / age=(?:[3-9]|\d\d+) /.test(String(await redis.client('LIST'))))

  let now = 0
  const look = freeFromGoneWorkers({ redis, queue, name: second.name, now: () => now })
  for (now of [0, 5_000, 10_000]) await look()
  expect(await redis.exists(lock)).toBe(1)

  await first.worker.disconnect()
  await until('it is gone', async () => !String(await redis.client('LIST')).includes(first.name))
  await look()
  expect(await redis.exists(lock)).toBe(1)
  now += 1_000
  await look()
  expect(await redis.exists(lock)).toBe(0)
  for (const { worker } of [first, second]) await worker.close(true)
  await queue.close()
})

it('leaves the job to its lock where the looking worker is not listed itself', async () => {
  const name = `unlisted-${randomUUID()}`
  const redis = await server.connect()
  const queue = new Queue(name, { connection: redis, prefix: '{clew}' })
  const { worker } = await openWorker(name)
  const job = await queue.add('work', {})
  const lock = `${queue.toKey(job.id ?? '')}:lock`
  await until('the job is taken', async () => (await redis.exists(lock)) === 1)
  await worker.disconnect()
  let now = 0
  const look = freeFromGoneWorkers({ redis, queue, name: 'nobody', now: () => now })
  for (now of [0, 5_000, 10_000]) await look()
  expect(await redis.exists(lock)).toBe(1)
  await worker.close(true)
  await queue.close()
})
