import { Client, GatewayIntentBits, Partials } from 'discord.js'
import type { DiscordEmulator } from './discord-emulator.ts'

const DEFAULT_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
]

/** Creates a real discord.js client for the emulator. The client is not connected yet. */
export function createDiscordClient(
  discord: DiscordEmulator,
  options: { readonly intents?: readonly GatewayIntentBits[] } = {},
): Client {
  return new Client({
    intents: [...(options.intents ?? DEFAULT_INTENTS)],
    partials: [Partials.Channel],
    rest: { api: discord.apiUrl, retries: 0, timeout: 5_000 },
    // Otherwise the client itself would delay a second IDENTIFY by 5 s of real time. This test is about the emulator's own limit.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
  })
}

/** Creates a client and connects it. The caller must destroy the client. */
export async function connectDiscordClient(
  discord: DiscordEmulator,
  options: { readonly intents?: readonly GatewayIntentBits[] } = {},
): Promise<Client<true>> {
  const client = createDiscordClient(discord, options)
  const ready = new Promise<Client<true>>(resolve => {
    client.once('clientReady', resolve)
  })
  await client.login(discord.botToken)
  return ready
}
