import { Client, GatewayIntentBits, Partials } from 'discord.js'
import type { DiscordEmulator } from './discord-emulator.ts'

const DEFAULT_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
]

/** Creates a real discord.js client for the emulator, not connected yet. */
export function createDiscordClient(
  discord: DiscordEmulator,
  options: { readonly intents?: readonly GatewayIntentBits[] } = {},
): Client {
  return new Client({
    intents: [...(options.intents ?? DEFAULT_INTENTS)],
    partials: [Partials.Channel],
    rest: { api: discord.apiUrl, retries: 0, timeout: 5_000 },
    // Without this, a second IDENTIFY would wait in the client for 5 s of real time. The test is about the emulator's own limit.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
  })
}

/** Connects a client. The caller must destroy it. */
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
