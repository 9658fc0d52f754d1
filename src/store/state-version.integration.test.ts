import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { checkStateVersion, STATE_VERSION } from './state-version.ts'

let redis: TestRedis

beforeAll(async () => {
  redis = await startTestRedis()
})
afterAll(() => redis.close())

describe('the version of the state in Redis', () => {
  it('lets processes of the same version and of later ones in', async () => {
    const client = await redis.connect()
    await checkStateVersion(client)
    await checkStateVersion(client)
    await checkStateVersion(client, STATE_VERSION + 1)
    expect(await client.get('clew:state-version')).toBe(String(STATE_VERSION + 1))
  })

  it('keeps an earlier process out', async () => {
    const client = await redis.connect()
    await checkStateVersion(client, STATE_VERSION + 1)
    await expect(checkStateVersion(client)).rejects.toThrow(/A newer version of Clew has written to this Redis/)
    expect(await client.get('clew:state-version')).toBe(String(STATE_VERSION + 1))
  })
})
