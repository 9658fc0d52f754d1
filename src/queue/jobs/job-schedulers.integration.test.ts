import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { Queue } from 'bullmq'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import type { RedisClient } from '../../store/redis/client.ts'
import { keepJobSchedulers } from './job-schedulers.ts'

let redis: TestRedis
let client: RedisClient
let queue: Queue
beforeAll(async () => {
  redis = await startTestRedis()
  client = await redis.connect()
  queue = new Queue('schedulers', { connection: client })
  await queue.waitUntilReady()
})
afterEach(() => queue.obliterate())
afterAll(async () => {
  await queue.close()
  await redis.close()
})

const YEARLY = { name: 'daily', schedule: '0 6 1 1 *', time_zone: 'UTC' }
const ids = async () => (await queue.getJobs(['delayed', 'waiting'])).map(({ id }) => id)

/** Returns a yearly schedule whose next time is a second away. */
function aSecondFromNow(): typeof YEARLY {
  const at = new Date(Date.now() + 1_000)
  const fields = [at.getUTCSeconds(), at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, '*']
  return { ...YEARLY, schedule: fields.join(' ') }
}

describe('keepJobSchedulers', () => {
  it('keeps an overdue run that nobody could take, and adds no second one', async () => {
    const job = aSecondFromNow()
    await keepJobSchedulers(queue, [job])
    const before = await ids()
    const [first] = await queue.getDelayed()
    await wait((first?.timestamp ?? 0) + (first?.delay ?? 0) - Date.now() + 50)
    await keepJobSchedulers(queue, [job])
    expect(await ids()).toEqual(before)
    expect(before).toHaveLength(1)
  })

  it('repairs a schedule whose next run was not added', async () => {
    await keepJobSchedulers(queue, [YEARLY])
    const [next] = await queue.getDelayed()
    // The schedule gets into this state if the connection to Redis breaks while a worker takes a run.
    await client.zrem(queue.toKey('delayed'), next?.id ?? '')
    await client.del(queue.toKey(next?.id ?? ''))
    expect(await ids()).toEqual([])
    await keepJobSchedulers(queue, [YEARLY])
    expect(await ids()).toEqual([next?.id])
  })

  it('updates and removes schedules with their definitions, and reports invalid ones', async () => {
    await keepJobSchedulers(queue, [YEARLY, { ...YEARLY, name: 'weekly' }])
    const refused = await keepJobSchedulers(queue, [
      { ...YEARLY, schedule: '0 7 1 1 *' },
      { ...YEARLY, name: 'never', schedule: '0 25 * * *' },
    ])
    expect(refused).toEqual([{ name: 'never', error: expect.stringContaining('got value 25') }])
    expect((await queue.getJobSchedulers()).map(({ key, pattern }) => ({ key, pattern }))).toEqual([
      { key: 'daily', pattern: '0 7 1 1 *' },
    ])
    expect(await ids()).toHaveLength(1)
  })
})
