import { Client, GatewayIntentBits, Partials } from 'discord.js'
import type { DiscordEmulator } from './discord-emulator.ts'

const DEFAULT_INTENTS = [
  GatewayIntentBits.Guilds,
  GatewayIntentBits.GuildMessages,
  GatewayIntentBits.DirectMessages,
  GatewayIntentBits.MessageContent,
]

/** A real discord.js client that is pointed at the emulator; not connected yet. */
export function createDiscordClient(
  discord: DiscordEmulator,
  options: { readonly intents?: readonly GatewayIntentBits[] } = {},
): Client {
  return new Client({
    intents: [...(options.intents ?? DEFAULT_INTENTS)],
    partials: [Partials.Channel],
    rest: { api: discord.apiUrl, retries: 0, timeout: 5_000 },
    // A second IDENTIFY would wait 5 s of real time in the client; the emulator's own window is what is tested.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
  })
}

/** Connects a client. It is to be destroyed by whoever asked for it. */
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
