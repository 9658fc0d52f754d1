import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { checkStateKey, keptStateKey } from './state-key.ts'

let redis: TestRedis
let folder: string

beforeAll(async () => {
  redis = await startTestRedis()
  folder = await mkdtemp(join(tmpdir(), 'clew-key-'))
})
afterAll(async () => {
  await redis.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the signing key', () => {
  it('is created once, even by many processes at once, and only its owner may read it', async () => {
    const file = join(folder, 'own', 'state-key')
    const keys = await Promise.all(Array.from({ length: 20 }, () => keptStateKey(file)))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\w-]{43}$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim()).toBe(keys[0])
    expect(await readdir(join(folder, 'own'))).toEqual(['state-key'])
  })

  it('must come from its variable if it cannot be stored', async () => {
    await expect(keptStateKey('/dev/null/state-key')).rejects.toThrow(/\/dev\/null\/state-key.*Set CLEW_STATE_KEY/)
  })

  it('must be the same in all processes of one Redis', async () => {
    const client = await redis.connect()
    await checkStateKey(client)
    await checkStateKey(client)
    await expect(checkStateKey(Object.assign(client, { stateKey: 'another' }))).rejects.toThrow(/signed with another key/)
  })
})
