import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { type Client, GatewayDispatchEvents } from 'discord.js'
import { type DiscordEmulator, startDiscordEmulator } from '../../../../test/emulators/discord/discord-emulator.ts'
import { createLogger } from '../../../base/logger.ts'
import { DiscordGateway } from './gateway.ts'

let discord: DiscordEmulator
beforeEach(async () => {
  discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
})
afterEach(() => discord.close())

it('caches nothing from messages and interactions', async () => {
  let listened: Client | undefined
  let hear = () => {}
  const heard = new Promise<void>(resolve => {
    hear = resolve
  })
  const gateway = new DiscordGateway({
    token: discord.botToken,
    apiUrl: discord.apiUrl,
    logger: createLogger({ level: 'silent' }),
    backoffMs: () => 0,
    onEvent: (name, _, client) => {
      listened = client
      if (name === GatewayDispatchEvents.MessageDelete) hear()
    },
    onGap: () => {},
    now: Date.now,
  })
  await gateway.start()
  const user = { id: discord.user('alice').id, username: 'alice', discriminator: '0', avatar: null }
  const dispatch = (event: string, payload: object) =>
    discord.gateway.dispatch({ event, guildId: undefined, intents: 0, payload: () => ({ ...payload }) })
  for (let index = 0; index < 20; index += 1) {
    const channel = { id: String(1_500_000_000_000_000_000n + BigInt(index)), type: 1 }
    dispatch('INTERACTION_CREATE', { id: '1', type: 3, channel, user, data: { component_type: 2, custom_id: 'x' } })
    dispatch('MESSAGE_CREATE', { id: '2', channel_id: `${channel.id}0`, channel_type: 1, author: user, content: 'hi' })
  }
  dispatch('MESSAGE_DELETE', { id: '3', channel_id: '4' })
  await heard
  const known = [...(listened?.channels.cache.keys() ?? [])]
  expect(known).toContain(discord.channel('general').id)
  expect(known.filter(id => id.startsWith('15000'))).toEqual([])
  await gateway.stop()
})
