import { startDiscordEmulator } from '../test/emulators/discord/discord-emulator.ts'
import { startSlackEmulator } from '../test/emulators/slack/slack-emulator.ts'

/** The content of a thread at one moment. `at` is in milliseconds since the question. */
export interface ShownState {
  readonly at: number
  /** All messages of the thread, as JSON. */
  readonly content: string
}

/** An emulated chat platform with its rate limits, in which people ask Clew. */
export interface ChatRoom {
  readonly name: 'slack' | 'discord'
  /** The environment variables that connect Clew's processes to the platform. */
  readonly env: Readonly<Record<string, string>>
  /** Posts a question, and waits until Clew shows the text `until` in its thread. Returns all states of the thread on the way. */
  ask(question: string, until: string): Promise<readonly ShownState[]>
  close(): Promise<void>
}

export interface SlackRoom extends ChatRoom {
  /**
   * Another person asks these questions at the same time in another channel, each in its own thread. Resolves when Clew has accepted all of them.
   */
  flood(questions: readonly string[]): Promise<void>
  /** Returns the number of the flood's threads that show this text. */
  flooded(until: string): number
}

const ANSWER_MS = 120_000

export async function openSlackRoom(): Promise<SlackRoom> {
  const channels = ['data', 'flood'].map(name => ({ name, members: ['alice', 'bob', 'clew'] }))
  const slack = await startSlackEmulator({ channels })
  return {
    name: 'slack',
    env: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl },
    async ask(question, until) {
      const askedAt = slack.clock.elapsed()
      const { ts } = slack.user('alice').post('data', `${slack.botMention} ${question}`)
      const states = () =>
        slack
          .transcript('data')
          .filter(({ isFromBot, threadTs }) => isFromBot && threadTs === ts)
          .flatMap(({ history }) => history)
          .map(({ at, text, blocks }) => ({ at: at - askedAt, content: JSON.stringify({ text, blocks }) }))
      return slack.waitFor(() => whenHeld(states(), until), { timeoutMs: ANSWER_MS })
    },
    async flood(questions) {
      const sent = questions.flatMap(question => slack.user('bob').post('flood', `${slack.botMention} ${question}`).deliveries)
      await slack.waitFor(() => sent.every(({ state }) => state === 'acknowledged'), { timeoutMs: ANSWER_MS })
    },
    flooded: until =>
      slack.transcript('flood').filter(({ text, blocks }) => JSON.stringify({ text, blocks }).includes(until)).length,
    close: slack.close,
  }
}

export async function openDiscordRoom(): Promise<ChatRoom> {
  const discord = await startDiscordEmulator({ channels: [{ name: 'data' }] })
  return {
    name: 'discord',
    env: { DISCORD_TOKEN: discord.botToken, DISCORD_APPLICATION_ID: discord.appId, DISCORD_API_URL: discord.apiUrl },
    async ask(question, until) {
      const askedAt = discord.clock.elapsed()
      const { id } = discord.user('alice').post('data', `${discord.botMention} ${question}`)
      const states = () =>
        discord
          .transcript(id)
          .filter(({ isFromBot }) => isFromBot)
          .flatMap(({ history }) => history)
          .map(({ at, ...version }) => ({ at: at - askedAt, content: JSON.stringify(version) }))
      return discord.waitFor(() => whenHeld(states(), until), { timeoutMs: ANSWER_MS })
    },
    close: discord.close,
  }
}

function whenHeld(states: readonly ShownState[], text: string): readonly ShownState[] | undefined {
  return states.some(({ content }) => content.includes(text)) ? states : undefined
}
