import { EventEmitter, once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createFakePlatform } from '../../test/support/fake-platform.ts'
import { startTestRedis, type TestRedis } from '../../test/support/redis.ts'
import { TEST_STATE_KEY } from '../../test/support/state-key.ts'
import { parseAccess } from '../access/read-access-file.ts'
import { Resources } from '../base/lifecycle.ts'
import { createLogger } from '../base/logger.ts'
import { prefixed } from '../base/variables.ts'
import type { PlatformEntry } from '../bots/shared/platform-entry.ts'
import { type ChatInbound, chatMessageSchema } from '../chat/event.ts'
import type { ChatOutbox } from '../chat/platform.ts'
import { threadName } from '../queue/thread-keys.ts'
import { createRedisStateStore } from '../store/redis/state-store.ts'
import { startHealthServer } from '../telemetry/health-server.ts'
import { startBots } from './bots.ts'
import { unknownVariables } from './commands/unknown-variables.ts'
import { readConfig } from './config.ts'
import { PLATFORM_REGISTRY } from './platform-registry.ts'
import { requireParts } from './required-parts.ts'

const RULES = `version: 1
roles:
  viewer: {tables: [shop.orders]}
workspaces:
  - platform: pigeon
    workspace: LOFT1
    groups: {FLOCK1: viewer}
`
const signal = AbortSignal.timeout(60_000)
const logger = createLogger({ level: 'fatal' })
const place = { platform: 'pigeon', workspace: 'LOFT1', channel: 'ROOF1', thread: 'T1', isDirect: false }
const message = { place, messageId: 'M1', order: Date.now() * 1_000, author: 'BIRD1', text: 'how many orders?', addressed: true }

/** Returns the entry of an invented third platform. The program needs nothing else to support a platform. */
function pigeon(outbox: ChatOutbox, connect: (accept: (event: ChatInbound) => Promise<void>) => void): PlatformEntry {
  const id = (kind: string) => ({ pattern: new RegExp(`^${kind}\\d+$`), form: `${kind} and a number` })
  return {
    name: 'pigeon',
    title: 'Pigeon Post',
    needs: 'PIGEON_TOKEN',
    variables: { PIGEON_TOKEN: prefixed('coo-', 'the token of a pigeon') },
    secrets: ['PIGEON_TOKEN'],
    apiVariable: 'PIGEON_API_URL',
    ids: { workspace: id('LOFT'), users: id('BIRD'), groups: id('FLOCK'), channels: id('ROOF') },
    showsRecentQuestions: false,
    configure({ PIGEON_TOKEN: token }) {
      if (token === undefined) return undefined
      return {
        open: async () => ({
          surface: () => ({
            name: 'pigeon',
            start: async accept => connect(accept),
            connected: () => true,
            stop: async () => {},
          }),
          destination: { outbox, progressEditsPerMinute: 10 },
        }),
        people: async () => ({
          groups: { by: 'member', groupsOf: async (_workspace, user) => (user === 'BIRD1' ? ['FLOCK1'] : []) },
          channelMembers: async () => ['BIRD1'],
        }),
        check: async (_calls, report) => report({ check: 'bot token', state: 'ok', found: 'it flies' }),
      }
    },
  }
}

describe('a third chat platform, by an entry in the registry alone', () => {
  let redis: TestRedis
  let folder: string
  const resources = new Resources()
  beforeAll(async () => {
    redis = await startTestRedis()
    folder = await mkdtemp(join(tmpdir(), 'clew-registry-'))
  })
  afterAll(async () => {
    await resources.close(logger)
    await redis.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('has its variables read, and its questions admitted by the access rules and shown', async () => {
    const client = await redis.connect()
    const platform = createFakePlatform(client)
    let accept: ((event: ChatInbound) => Promise<void>) | undefined
    const posts = new EventEmitter()
    const posted = once(posts, 'post', { signal })
    const post: ChatOutbox['post'] = async (...given) => {
      const shown = await platform.outbox.post(...given)
      posts.emit('post')
      return shown
    }
    const planted = pigeon({ ...platform.outbox, post }, given => {
      accept = given
    })
    const file = join(folder, 'access.yaml')
    await writeFile(file, RULES)
    const env = { PIGEON_TOKEN: 'coo-secret', REDIS_URL: redis.url, CLEW_STATE_KEY: TEST_STATE_KEY, CLEW_ACCESS_FILE: file }
    const config = readConfig(env, [...PLATFORM_REGISTRY, planted])
    expect(config.secrets).toContain('coo-secret')
    expect(unknownVariables({ PIGEON_TOKN: 'x' }, config.variables).join()).toContain('did you mean PIGEON_TOKEN')
    requireParts(config, ['chat', 'redis'])
    const server = resources.add('server', await startHealthServer({ port: 0, checks: {}, logger }), opened => opened.close())
    const checks = await startBots({ config, logger, resources }, { server, metrics: { watchQueue: () => {} } }, signal)
    expect(checks.pigeon?.()).toBe(true)

    await accept?.({ kind: 'message', message: chatMessageSchema.parse(message) })
    await posted
    const kept = await createRedisStateStore(client).get(`{${threadName(place)}}:access:M1`, signal)
    expect(JSON.parse(kept ?? '{}')).toMatchObject({ kind: 'granted', roles: ['viewer'], isPrivate: false })
    expect(await platform.standing('T1')).toEqual([expect.stringContaining('Looking into it')])
  })

  it('has its own mistakes named', async () => {
    const { outbox } = createFakePlatform(await redis.connect())
    const registry = [...PLATFORM_REGISTRY, pigeon(outbox, () => {})]
    expect(() => readConfig({ PIGEON_TOKEN: 'x' }, registry)).toThrow('PIGEON_TOKEN must be the token of a pigeon')
    expect(() => requireParts(readConfig({}, registry), ['chat'])).toThrow('PIGEON_TOKEN (docs/pigeon.md tells how to get them)')
    expect(() => parseAccess(RULES.replace('FLOCK1', 'S0614TZR7'), 'access.yaml', registry)).toThrow(
      'S0614TZR7 is not an id of pigeon: it must be FLOCK and a number',
    )
    expect(() => parseAccess(RULES, 'access.yaml', PLATFORM_REGISTRY)).toThrow('platform must be slack or discord')
  })
})
