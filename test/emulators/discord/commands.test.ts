import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { JsonObject } from './json.ts'
import { RestClient } from './rest-client.ts'

const many = (count: number, make: (index: number) => JsonObject) => Array.from({ length: count }, (_, index) => make(index))
const ask = { name: 'ask', description: 'Asks' }

describe('application commands', () => {
  let discord: DiscordEmulator
  let rest: RestClient
  let path: string

  beforeEach(async () => {
    discord = await startDiscordEmulator({ rateLimits: 'relaxed', clock: 'stopped' })
    rest = new RestClient(discord)
    path = `/applications/${discord.appId}/commands`
  })
  afterEach(() => discord.close())

  const put = (body: unknown) => rest.request('PUT', path, { body })

  it('replaces a whole scope, keeps ids, and changes a version only with the content', async () => {
    const first = (await put([ask, { name: 'lineage', description: 'Lineage' }])).body as readonly JsonObject[]
    expect((await put([ask, { name: 'lineage', description: 'Lineage' }])).body).toEqual(first)
    const changed = (await put([{ ...ask, description: 'Asks more' }])).body as readonly JsonObject[]
    expect(changed).toMatchObject([{ id: first[0]?.id, description: 'Asks more' }])
    expect(changed[0]?.version).not.toBe(first[0]?.version)
    expect((await rest.request('GET', path)).body).toEqual(changed)
  })

  it('separates those of a server', async () => {
    const ofGuild = `/applications/${discord.appId}/guilds/${discord.guild.id}/commands`
    await rest.request('PUT', ofGuild, { body: [ask] })
    expect((await rest.request('GET', path)).body).toEqual([])
    expect((await rest.request('GET', ofGuild)).body).toMatchObject([{ name: 'ask', guild_id: discord.guild.id }])
    expect(await rest.request('GET', `/applications/${discord.appId}/guilds/1/commands`)).toMatchObject({ body: { code: 50001 } })
    expect(await rest.request('GET', '/applications/1/commands')).toMatchObject({ status: 403, body: { code: 20012 } })
  })

  it('creates, gets, edits and deletes one', async () => {
    const created = await rest.request('POST', path, { body: ask })
    expect(created).toMatchObject({ status: 201, body: { name: 'ask' } })
    expect(await rest.request('POST', path, { body: ask })).toMatchObject({ status: 200 })
    const one = `${path}/${String((created.body as JsonObject).id)}`
    expect(await rest.request('PATCH', one, { body: { description: 'New' } })).toMatchObject({
      body: { name: 'ask', description: 'New' },
    })
    expect(await rest.request('DELETE', one)).toMatchObject({ status: 204 })
    expect(await rest.request('GET', one)).toMatchObject({ status: 404, body: { code: 10063 } })
  })

  const option = { name: 'o', description: 'd', type: 3 }
  const choice = (index: number) => ({ name: `c${index}`, value: `${index}` })
  it.each<[string, JsonObject, JsonObject]>([
    ['name', { ...ask, name: 'x'.repeat(32) }, { ...ask, name: 'x'.repeat(33) }],
    ['name in lower case without spaces', { ...ask, name: 'größe' }, { ...ask, name: 'Ask me' }],
    ['description', { ...ask, description: 'x'.repeat(100) }, { ...ask, description: 'x'.repeat(101) }],
    ['a description at all', ask, { name: 'ask' }],
    ['none on a message command', { name: 'Explain this', type: 3 }, { name: 'Explain this', type: 3, description: 'x' }],
    [
      'options',
      { ...ask, options: many(25, index => ({ ...option, name: `o${index}` })) },
      { ...ask, options: many(26, index => ({ ...option, name: `o${index}` })) },
    ],
    [
      'choices',
      { ...ask, options: [{ ...option, choices: many(25, choice) }] },
      { ...ask, options: [{ ...option, choices: many(26, choice) }] },
    ],
    [
      'required options first',
      {
        ...ask,
        options: [
          { ...option, required: true },
          { ...option, name: 'p' },
        ],
      },
      { ...ask, options: [option, { ...option, name: 'p', required: true }] },
    ],
    [
      'everything together',
      {
        ...ask,
        options: many(20, index => ({
          ...option,
          name: `o${index}`,
          choices: many(3, n => ({ name: 'x'.repeat(100), value: `${n}` })),
        })),
      },
      {
        ...ask,
        options: many(20, index => ({
          ...option,
          name: `o${index}`,
          choices: many(4, n => ({ name: 'x'.repeat(100), value: `${n}` })),
        })),
      },
    ],
  ])('limits %s', async (_name, allowed, refused) => {
    expect(await put([allowed])).toMatchObject({ status: 200 })
    expect(await put([refused])).toMatchObject({ status: 400, body: { code: 50035, errors: { 0: {} } } })
  })

  it('limits them to a hundred, unique names, and 200 new ones a day', async () => {
    const named = (count: number, prefix: string) => many(count, index => ({ ...ask, name: `${prefix}${index}` }))
    expect(await put(named(DISCORD_LIMITS.commands[1] + 1, 'a'))).toMatchObject({ status: 400, body: { code: 30032 } })
    expect(await put([ask, ask])).toMatchObject({ status: 400, body: { code: 50035 } })
    expect(await put(named(DISCORD_LIMITS.commands[1], 'a'))).toMatchObject({ status: 200 })
    expect(await put(named(DISCORD_LIMITS.commandCreatesADay - 100, 'b'))).toMatchObject({ status: 200 })
    expect(await put([{ ...ask, name: 'c' }])).toMatchObject({ status: 400, body: { code: 30034 } })
    discord.clock.advance(24 * 3_600_000)
    expect(await put([{ ...ask, name: 'c' }])).toMatchObject({ status: 200 })
  })
})
