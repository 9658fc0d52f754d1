import { expect, it } from '@jest/globals'
import { pino } from 'pino'
import { startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'

// Slack's client contains another version of the HTTP client that discord.js uses. All versions share the dispatcher of the one that is loaded
// first.
await import('@slack/socket-mode')
const { createDiscordOutbox } = await import('../../src/bots/discord/outbox.ts')

it("uploads a file even if another platform's client was loaded first", async () => {
  const discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
  try {
    const outbox = createDiscordOutbox({
      apiUrl: discord.apiUrl,
      token: discord.botToken,
      applicationId: discord.appId,
      logger: pino({ level: 'silent' }),
    })
    const asked = discord.user('alice').post('general', `${discord.botMention} a long list, please`)
    const place = {
      platform: 'discord',
      workspace: discord.guild.id,
      channel: asked.channelId,
      thread: asked.id,
      isDirect: false,
    } as const
    const markdown = 'a word '.repeat(15_000)
    const parts = await outbox.render({ kind: 'answer', markdown })
    await outbox.post(place, parts.at(-1) ?? {}, 'run-last', new AbortController().signal)
    const [message] = discord.transcript(place.thread).filter(({ isFromBot }) => isFromBot)
    expect(message?.files.map(({ name, content }) => [name, content.toString()])).toEqual([['answer.md', markdown]])
  } finally {
    await discord.close()
  }
})
